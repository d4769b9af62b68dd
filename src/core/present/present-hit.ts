/** Builds hits from selected candidates: record, reasons, matched fields, snippet. */

import type { CandidateTable, Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { StoredRecord, TextField } from '../model/record.ts'
import { contentFields, textFields } from '../model/record.ts'
import type { Hit, MatchedField } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import type { Ranked } from '../order/order.ts'
import { cutsOfTerm } from '../query/joined-words.ts'
import type { Selection } from '../select/select.ts'
import type { Passage } from '../text/passages/split-passages.ts'
import { stem } from '../text/tokenise/stem.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { changeReasons, withRise } from './change-reasons.ts'
import { copyRecord } from './copy-record.ts'
import { hitPassage, passagesOfRow } from './hit-passages.ts'
import { type Match, type Matcher, matcherOf } from './matches.ts'
import { marksOf, snippetOfCodePoints, snippetOfMatches } from './snippet.ts'

/** Builds a hit from a candidate, its copies and its ranks. */
export type HitPresenter = (entry: Ranked, collapsed: readonly string[], ranks: Hit['ranks']) => Hit

/** Reads the query once for all hits of an answer. */
export function hitPresenter(
  plan: QueryPlan,
  facts: Facts,
  { scoring, later: { changes, rose } }: Pick<Selection, 'scoring' | 'later'>,
): HitPresenter {
  const { candidates } = facts
  // Only the last word can be a prefix (search as you type).
  const prefix = plan.terms.find((term) => term.phrase.endsWith('*'))?.word ?? ''
  const stems = [...plan.terms.flatMap((term) => term.stems), ...plan.joins.map((join) => join.stem)]
  const findWords = matcherOf({ stems: new Set(stems), prefix })
  let findForms: Matcher | null = null
  const matchedBy = (row: number, matches: MatchesOf) =>
    scoring.matched?.(row) ?? matchedFields(plan, candidates, row, matches)

  return (entry, collapsed, ranks) => {
    const record = facts.records.get(entry.row)!
    const own = changes.get(entry.row)
    const stated = own === undefined ? [] : changeReasons(own, entry.id, facts)
    const contributions = withRise(scoring.contributions(entry.row), rose.get(entry.row), entry.score, stated)
    let matches = createMatches(record, findWords)
    let matched = matchedBy(entry.row, matches)
    if (candidates.lexical[entry.row]! > 0 && !matched.some((field) => field !== 'vector')) {
      // A form of several words was found.
      findForms ??= matcherOf({ stems: new Set([...stems, ...stemsOfForms(plan)]), prefix })
      matches = createMatches(record, findForms)
      matched = matchedBy(entry.row, matches)
    }
    const body = record.body ?? ''
    const passages = passagesOfRow(facts, entry.row, record)
    const best = passages?.[0] ?? null
    const passage = best === null ? null : hitPassage(body, best)
    return {
      id: entry.id,
      score: entry.score,
      record: copyRecord(record),
      matched,
      freshness: facts.freshness.get(entry.row) ?? (record.files.length === 0 ? 'unverifiable' : 'unknown'),
      riskSeverities: [...new Set(record.risks.map((risk) => risk.severity))],
      reasons: [
        ...new Set(contributions.filter(({ amount }) => amount > 0).map(({ reason }) => reason)),
        ...formReason(plan, candidates, entry.row),
        ...synonymReason(plan, candidates, entry.row),
        ...typoReasons(plan, candidates, entry.row),
        ...stated.filter((reason) => !contributions.some((contribution) => contribution.reason === reason)),
        ...passageReason(passage),
      ],
      contributions,
      ranks,
      snippet: snippetOf(record, best, matched, matches, plan.query.snippetLength),
      marks: marksOfFields(matched, matches, best),
      collapsed,
      ...(own === undefined ? {} : { changes: own }),
      passage,
      ...(plan.query.passages === undefined ? {} : { passages: (passages ?? []).map((one) => hitPassage(body, one)) }),
    }
  }
}

/** The matches in a text field of a record. */
type MatchesOf = (field: TextField) => readonly Match[]

/** Reads each field at most once, when it is asked for. */
function createMatches(record: StoredRecord, find: Matcher): MatchesOf {
  const known = new Map<TextField, readonly Match[]>()
  return (field) => {
    const before = known.get(field)
    if (before !== undefined) return before
    const text = textOf(record, field)
    const matches = text === null ? [] : find(text)
    known.set(field, matches)
    return matches
  }
}

/** Stems of the words in forms of several words, and in synonyms of several words. */
function stemsOfForms({ terms }: QueryPlan): readonly string[] {
  const phrases = terms.flatMap((term) => [
    ...(term.apart ?? []),
    ...cutsOfTerm(term),
    ...(term.synonyms ?? []).map(({ phrase }) => phrase),
  ])
  return phrases.flatMap((phrase) => tokenise(phrase.slice(phrase.indexOf('"'))).map(({ word }) => stem(word)))
}

/** Names the word form that the record holds in place of a word of the query. */
function formReason({ terms }: QueryPlan, { form }: CandidateTable, row: number): readonly string[] {
  const number = form?.[row] ?? 0
  if (number === 0) return []
  const { text, as } = terms.flatMap(({ word, forms = [] }) => forms.map((own) => ({ text: word, as: own.word })))[
    number - 1
  ]!
  return [`${text} as ${as}`]
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

function passageReason(passage: Hit['passage']): readonly string[] {
  if (passage === null) return []
  const { from, to, heading } = passage
  return [`best passage: letters ${from} to ${to}${heading === null ? '' : `, under ${heading}`}`]
}

function matchedFields(
  { fields: counted }: QueryPlan,
  candidates: CandidateTable,
  row: number,
  matches: MatchesOf,
): readonly MatchedField[] {
  const holds = (field: TextField) => (counted?.includes(field) ?? true) && matches(field).length > 0
  const fields: MatchedField[] = []
  if (candidates.lexical[row]! > 0) fields.push(...contentFields.filter(holds))
  if (candidates.paths[row]! > 0 || holds('paths')) fields.push('paths')
  if (candidates.terms[row]! > 0 || holds('terms')) fields.push('terms')
  if (candidates.cosineLow[row]! > 0) fields.push('vector')
  return fields
}

/** Marks of one field. Each is an object that crosses threads. */
const maxMarks = 1000

/** Of a body with more, those of the best passage stay. */
function marksOfFields(matched: readonly MatchedField[], matches: MatchesOf, best: Passage | null): Hit['marks'] {
  const ofField = (field: TextField) => {
    const all = matches(field)
    if (field !== 'body' || best === null || all.length <= maxMarks) return marksOf(all, maxMarks)
    const isInside = ({ from, to }: Match) => from >= best.from && to <= best.to
    let places = maxMarks - all.filter(isInside).length
    return marksOf(
      all.filter((match) => isInside(match) || places-- > 0),
      maxMarks,
    )
  }
  const marked = textFields.filter((field) => matched.includes(field)).map((field) => [field, ofField(field)] as const)
  return Object.fromEntries(marked.filter(([, marks]) => marks.length > 0))
}

function textOf(record: StoredRecord, field: TextField): string | null {
  if (field === 'paths') return record.files.map((file) => file.path).join('\n')
  if (field === 'terms') return record.terms.map((entry) => entry.term).join('\n')
  return record[field]
}

/** From the best passage of the body, the longest matched text; without a match, from the first text. */
function snippetOf(
  record: StoredRecord,
  best: Passage | null,
  matched: readonly MatchedField[],
  matches: MatchesOf,
  codePoints: number | undefined,
): Hit['snippet'] {
  const order = ['body', 'summary', 'instruction', 'command', 'title'] as const
  const field = order.find((name) => matched.includes(name)) ?? order.find((name) => record[name] !== null)
  if (field === undefined) return { text: '', marks: [] }
  const { text, found } = partOf(record[field] ?? '', matches(field), field === 'body' ? best : null)
  if (codePoints === undefined) return snippetOfMatches(text, found, tuning.snippetLength)
  return snippetOfCodePoints(text, found, codePoints)
}

/** The text of a passage, and the matches in it. */
function partOf(text: string, found: readonly Match[], passage: Passage | null) {
  if (passage === null) return { text, found }
  const { from, to } = passage
  const inside = found.filter((match) => match.from >= from && match.to <= to)
  const moved = inside.map((match) => ({ ...match, from: match.from - from, to: match.to - from }))
  return { text: text.slice(from, to).trimEnd(), found: moved }
}
