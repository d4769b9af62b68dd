/**
 * Answers that a person can read: one line per question, with evidence and the first records. A difference of two answers names the
 * records that moved. Two stores: a fictional person's notes with real questions, and the golden store with every script.
 */
import { readFileSync } from 'node:fs'
import type { Policy } from '../../../src/core/model/policy.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { RecallResult } from '../../../src/core/model/result.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { staticEmbedder } from '../../../src/embedders/index.ts'
import { createEngine } from '../../../worker/engine/engine.ts'
import { engineOptions } from './engine-options.ts'
import { goldenNow, goldenQueries, goldenRecords, goldenSpace } from './golden-store.ts'
import { openEngine } from './open-engine.ts'
import { patientTimers } from './patient-timers.ts'

const shownHits = 5
/** One for all engines: its table is read once. */
const embedder = staticEmbedder()
const notesNow = Date.UTC(2026, 10, 1)

/** `policy | question | strength coverage | id score, …`: every policy over the notes, `balanced` over the golden store. */
export async function readableAnswers(): Promise<string[]> {
  const lines: string[] = []
  for (const policy of Object.values(policies)) lines.push(...(await answersOfNotes(policy)))
  return [...lines, ...(await answersOfGolden(policies.balanced))]
}

/** The lines of `balanced` if it were this policy. */
export async function answersOfBalanced(policy: Policy): Promise<string[]> {
  return [...(await answersOfNotes(policy)), ...(await answersOfGolden(policy))]
}

async function answersOfNotes(policy: Policy): Promise<string[]> {
  const space = { name: embedder.space, dimensions: embedder.dimensions }
  const engine = await createEngine(
    { ...engineOptions, space },
    { embed: (texts, role) => embedder.embed(texts, role) },
    undefined,
    { timers: patientTimers },
  )
  const context = { now: notesNow }
  await engine.call('put', { batch: readLines<RecordInput>('records') }, context)
  const lines: string[] = []
  for (const { text } of [...readLines<{ text: string }>('questions'), ...readLines<{ text: string }>('strangers')]) {
    lines.push(lineOf(policy, text, await engine.call('recall', { query: { text, policy } }, context)))
  }
  await engine.call('close', {}, context)
  return lines
}

async function answersOfGolden(policy: Policy): Promise<string[]> {
  const { call } = await openEngine({ space: goldenSpace })
  await call('put', { batch: goldenRecords() }, goldenNow)
  const lines: string[] = []
  for (const [name, query] of goldenQueries()) {
    const asked: RecallQuery = { policy, ...query }
    lines.push(lineOf(policy, name, await call('recall', { query: asked }, goldenNow)))
  }
  return lines
}

function readLines<T>(name: string): readonly T[] {
  const text = readFileSync(new URL(`../../fixtures/quality/${name}.jsonl`, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

function lineOf(
  { name }: Policy,
  question: string,
  { hits, evidence }: Pick<RecallResult, 'hits' | 'evidence'>,
): string {
  const shown = hits.slice(0, shownHits).map(({ id, score }) => `${id} ${score.toFixed(3)}`)
  return [name, question, `${evidence.strength} ${evidence.coverage.toFixed(2)}`, shown.join(', ')].join(' | ')
}

/** What differs, one line per question: records that moved, entered or left, evidence, and scores where no record moved. */
export function movesBetween(before: readonly string[], after: readonly string[]): string[] {
  const known = new Map(before.map((line) => [headOf(line), line]))
  const moves = after.flatMap((line) => {
    const earlier = known.get(headOf(line))
    known.delete(headOf(line))
    if (earlier === undefined) return [`${headOf(line)}: a new question`]
    return earlier === line ? [] : [`${headOf(line)}: ${changesOf(earlier, line).join('; ')}`]
  })
  return [...moves, ...[...known.keys()].map((head) => `${head}: the question is gone`)]
}

function changesOf(before: string, after: string): string[] {
  const [evidenceBefore, hitsBefore] = tailOf(before)
  const [evidenceAfter, hitsAfter] = tailOf(after)
  const placesBefore = placesOf(hitsBefore)
  const placesAfter = placesOf(hitsAfter)
  const moved = [...new Set([...placesBefore.keys(), ...placesAfter.keys()])].flatMap((id) => {
    const [from, to] = [placesBefore.get(id) ?? '–', placesAfter.get(id) ?? '–']
    return from === to ? [] : [`${id} ${from} → ${to}`]
  })
  if (evidenceBefore !== evidenceAfter) moved.push(`evidence ${evidenceBefore} → ${evidenceAfter}`)
  return moved.length > 0 ? moved : [`scores alone: ${hitsBefore} → ${hitsAfter}`]
}

function headOf(line: string): string {
  return line.split(' | ').slice(0, 2).join(' | ')
}

function tailOf(line: string): [evidence: string, hits: string] {
  const [evidence = '', hits = ''] = line.split(' | ').slice(2)
  return [evidence, hits]
}

/** Place from 1 of each id. */
function placesOf(hits: string): ReadonlyMap<string, number> {
  return new Map(hits === '' ? [] : hits.split(', ').map((hit, i) => [hit.slice(0, hit.lastIndexOf(' ')), i + 1]))
}
