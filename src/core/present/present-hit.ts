/** Builds a hit from a selected candidate: record, reasons, matched fields, snippet. */

import type { Scoring } from '../fusion/scoring.ts'
import type { CandidateTable, Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { StoredRecord, TextField } from '../model/record.ts'
import { contentFields, textFields } from '../model/record.ts'
import type { Hit, MatchedField } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import type { Ranked } from '../order/order.ts'
import { stem } from '../text/tokenise/stem.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { marksOf, snippet, snippetOfCodePoints } from './snippet.ts'

export function presentHit(
  plan: QueryPlan,
  facts: Facts,
  scoring: Scoring,
  entry: Ranked,
  collapsed: readonly string[],
  ranks: Hit['ranks'],
): Hit {
  const { candidates } = facts
  const record = facts.records.get(entry.row)!
  const contributions = scoring.contributions(entry.row)
  // Only the last word can be a prefix (search as you type).
  const prefix = plan.terms.find((term) => term.phrase.endsWith('*'))?.word ?? ''
  const matchedBy = (stems: ReadonlySet<string>) =>
    scoring.matched?.(entry.row) ?? matchedFields(plan, record, candidates, entry.row, stems, prefix)
  let stems: ReadonlySet<string> = new Set([
    ...plan.terms.flatMap((term) => term.stems),
    ...plan.joins.map((join) => join.stem),
  ])
  let matched = matchedBy(stems)
  if (candidates.lexical[entry.row]! > 0 && !matched.some((field) => field !== 'vector')) {
    // A form of several words was found.
    stems = new Set([...stems, ...stemsOfForms(plan)])
    matched = matchedBy(stems)
  }
  return {
    id: entry.id,
    score: entry.score,
    record,
    matched,
    freshness: facts.freshness.get(entry.row) ?? (record.files.length === 0 ? 'unverifiable' : 'unknown'),
    riskSeverities: [...new Set(record.risks.map((risk) => risk.severity))],
    reasons: [
      ...contributions.filter((contribution) => contribution.amount > 0).map((contribution) => contribution.reason),
      ...synonymReason(plan, candidates, entry.row),
      ...typoReasons(plan, candidates, entry.row),
    ],
    contributions,
    ranks,
    snippet: snippetOf(record, matched, stems, prefix, plan.query.snippetLength),
    marks: marksOfFields(record, matched, stems, prefix),
    collapsed,
  }
}

/** Stems of the words in forms of several words, and in synonyms of several words. */
function stemsOfForms({ terms }: QueryPlan): readonly string[] {
  const phrases = terms.flatMap(({ apart = [], cuts = [], synonyms = [] }) => [
    ...apart,
    ...cuts,
    ...synonyms.map(({ phrase }) => phrase),
  ])
  return phrases.flatMap((phrase) => tokenise(phrase.slice(phrase.indexOf('"'))).map(({ word }) => stem(word)))
}

function synonymReason({ terms }: QueryPlan, { synonym }: CandidateTable, row: number): readonly string[] {
  const number = synonym?.[row] ?? 0
  if (number === 0) return []
  const { text, as } = terms.flatMap(({ synonyms = [] }) => synonyms)[number - 1]!
  return [`by synonym: ${as} for ${text}`]
}

/** Names the corrections of the query if the record holds a corrected word. */
function typoReasons({ read = [] }: QueryPlan, { corrected }: CandidateTable, row: number): readonly string[] {
  if ((corrected?.[row] ?? 0) === 0) return []
  return read.flatMap((reading) => (reading.kind === 'typo' ? [`${reading.text} read as ${reading.as}`] : []))
}

function matchedFields(
  { fields: counted }: QueryPlan,
  record: StoredRecord,
  candidates: CandidateTable,
  row: number,
  stems: ReadonlySet<string>,
  prefix: string,
): readonly MatchedField[] {
  const holds = (field: TextField, text: string | null) =>
    text !== null && stems.size > 0 && (counted?.includes(field) ?? true) && holdsAny(text, stems, prefix)
  const fields: MatchedField[] = []
  if (candidates.lexical[row]! > 0) fields.push(...contentFields.filter((field) => holds(field, record[field])))
  if (candidates.paths[row]! > 0 || holds('paths', joined(record, 'paths'))) fields.push('paths')
  if (candidates.terms[row]! > 0 || holds('terms', joined(record, 'terms'))) fields.push('terms')
  if (candidates.cosineLow[row]! > 0) fields.push('vector')
  return fields
}

/** Marks of one field. Each is an object that crosses threads. */
const maxMarks = 1000

function marksOfFields(
  record: StoredRecord,
  matched: readonly MatchedField[],
  stems: ReadonlySet<string>,
  prefix: string,
): Hit['marks'] {
  const marked = textFields
    .filter((field) => matched.includes(field))
    .map((field) => [field, marksOf(textOf(record, field) ?? '', stems, prefix, maxMarks)] as const)
  return Object.fromEntries(marked.filter(([, marks]) => marks.length > 0))
}

function textOf(record: StoredRecord, field: TextField): string | null {
  return field === 'paths' || field === 'terms' ? joined(record, field) : record[field]
}

function joined(record: StoredRecord, field: TextField): string {
  return field === 'paths'
    ? record.files.map((file) => file.path).join('\n')
    : record.terms.map((entry) => entry.term).join('\n')
}

/** Searches in chunks, so that a match near the start of a long text is found without reading the rest. */
function holdsAny(text: string, stems: ReadonlySet<string>, prefix: string): boolean {
  for (let from = 0; from < text.length; from += pieceLength) {
    // Overlaps by one word, so that no word is cut.
    const piece = text.slice(Math.max(0, from - 64), from + pieceLength)
    for (const { word } of tokenise(piece)) {
      if (stems.has(stem(word)) || stems.has(word) || (prefix !== '' && word.startsWith(prefix))) return true
    }
  }
  return false
}

const pieceLength = 4096

/** From the longest matched text; without a match, from the first text. */
function snippetOf(
  record: StoredRecord,
  matched: readonly MatchedField[],
  stems: ReadonlySet<string>,
  prefix: string,
  codePoints: number | undefined,
): Hit['snippet'] {
  const order = ['body', 'summary', 'instruction', 'command', 'title'] as const
  const field = order.find((name) => matched.includes(name)) ?? order.find((name) => record[name] !== null)
  const text = field === undefined ? '' : (record[field] ?? '')
  if (codePoints === undefined) return snippet(text, stems, tuning.snippetLength, prefix)
  return snippetOfCodePoints(text, stems, codePoints, prefix)
}
