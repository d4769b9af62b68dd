/**
 * Guards ranking quality on a small set written for this repository: a year of a fictional person's notes and three
 * chats, questions in other words than the notes use, and questions without an answer. Nothing was tuned on it. Each
 * floor is the value measured when it was set, minus what one question can move: a change that ranks worse fails here,
 * whatever the golden hashes say.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { policies } from '../../../src/core/index.ts'
import type { Policy } from '../../../src/core/model/policy.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { staticEmbedder } from '../../../src/embedders/index.ts'
import { createEngine } from '../../../worker/engine/engine.ts'
import { mean, scoreRanking } from '../../quality/measures/metrics.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { patientTimers } from '../../support/stores/patient-timers.ts'

interface Question {
  readonly text: string
  readonly relevant: readonly string[]
}

const read = <T>(name: string): readonly T[] =>
  readFileSync(new URL(`../../fixtures/quality/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const records = read<RecordInput>('records')
const questions = read<Question>('questions')
const strangers = read<{ readonly text: string }>('strangers')
const context = { now: Date.UTC(2026, 10, 1) }
const embedder = staticEmbedder()

async function openNotes(mode: 'words' | 'hybrid') {
  const engine = await createEngine(
    { ...engineOptions, space: mode === 'words' ? null : { name: embedder.space, dimensions: embedder.dimensions } },
    mode === 'words' ? null : { embed: (texts, role) => embedder.embed(texts, role) },
    undefined,
    { timers: patientTimers },
  )
  const { records: outcomes } = await engine.call('put', { batch: records }, context)
  expect(outcomes.filter(({ outcome }) => outcome !== 'inserted')).toEqual([])
  return engine
}

async function measure(mode: 'words' | 'hybrid', policy: Policy = policies.balanced) {
  const engine = await openNotes(mode)
  const recall = async (text: string) => engine.call('recall', { query: { text, policy } }, context)
  const scores = []
  let silent = 0
  for (const { text, relevant } of questions) {
    const { hits, evidence } = await recall(text)
    const ids = hits.map(({ id }) => id)
    scores.push(scoreRanking(ids, new Map(relevant.map((id) => [id, 1]))))
    if (evidence.strength === 'none') silent++
  }
  let refused = 0
  for (const { text } of strangers) if ((await recall(text)).evidence.strength === 'none') refused++
  await engine.call('close', {}, context)
  return { ...mean(scores), silent, refused }
}

describe('the quality set of the repository', () => {
  it.each([
    ['words', { ndcg: 0.882, recall: 0.94, silent: 4, refused: 14 }],
    ['hybrid', { ndcg: 0.936, recall: 0.985, silent: 4, refused: 15 }],
  ] as const)('%s: ranking and abstention stay above their floors', async (mode, floor) => {
    const { ndcg, recall, silent, refused } = await measure(mode)
    process.stdout.write(
      `quality set, ${mode}: nDCG@10 ${ndcg.toFixed(3)}, Recall@10 ${recall.toFixed(3)}, silent on ${silent} of ${questions.length} answerable, refused ${refused} of ${strangers.length}\n`,
    )
    expect(ndcg).toBeGreaterThanOrEqual(floor.ndcg)
    expect(recall).toBeGreaterThanOrEqual(floor.recall)
    expect(silent).toBeLessThanOrEqual(floor.silent)
    expect(refused).toBeGreaterThanOrEqual(floor.refused)
  })

  it('control: a policy that ranks worse falls below the floor', async () => {
    const { lexical, fusion } = policies.balanced
    const worse = {
      ...policies.balanced,
      name: 'worse',
      lexical: { ...lexical, b: 0, titleBoost: 0, questionWordWeight: 1, commonWordWeight: 1 },
      fusion: { ...fusion, pairs: 0, neighbours: { before: [], after: [] } },
    } as Policy
    expect((await measure('words', worse)).ndcg).toBeLessThan(0.882)
  })
})
