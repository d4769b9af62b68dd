/**
 * Times calls other than plain recall over a filled store, in this process: `npx tsx test/bench/calls/measure-calls.ts [records] [rounds] [rows]`,
 * `rows` with commas between, all by default; the texts of the measuring sets where they exist (SCRUBJAY_EVAL_DATA), generated ones
 * otherwise. Of each call the shortest time of all rounds counts; prints median, mean and longest over the calls of a row.
 */
import { performance } from 'node:perf_hooks'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { dimensions } from '../records.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { generatedCollection, measuredCollection, missingSets } from '../collections.ts'

const [count = 100_000, rounds = 3] = process.argv.slice(2, 4).map(Number)
const wanted = process.argv[4]?.split(',')
const collection = missingSets().length > 0 ? generatedCollection(count) : measuredCollection(count)
const kinds = ['preference', 'message', 'code', 'decision'] as const
const records = collection.records.map(
  ({ id, text, tags }, i): RecordInput => ({
    id,
    body: text,
    tags: [...tags, ...(i % 2 === 0 ? ['half'] : [])],
    kind: kinds[i % kinds.length]!,
    vectors: [collection.vectors.slice(i * dimensions, (i + 1) * dimensions)],
    session: `s${Math.floor(i / 24)}`,
    position: i % 24,
  }),
)
const questions = collection.questions.slice(0, 40).map(({ text }, i) => ({
  text,
  vector: collection.questionVectors.slice(i * dimensions, (i + 1) * dimensions),
}))
const word = (text: string) => text.match(/\p{L}{4,}/u)?.[0] ?? 'with'
const ids = (i: number, size: number) =>
  Array.from({ length: size }, (_, at) => `r${(i * 7919 + at * 104_729) % count}`)

const { call } = await openOver({ space: { name: 'minilm', dimensions } })
for (let from = 0; from < count; from += 1000) await call('put', { batch: records.slice(from, from + 1000) })

type Ask = (question: (typeof questions)[number], i: number) => Promise<unknown>
const rows: Readonly<Record<string, Ask>> = {
  recall: (query) => call('recall', { query }),
  why: (query, i) => call('why', { query, id: ids(i, 1)[0]! }),
  'suggest in a scope': ({ text }) =>
    call('suggest', { prefix: word(text).slice(0, 2), request: { scope: { tags: { any: ['half'] } } } }),
  'facets with text': ({ text }) => call('facets', { request: { keys: ['kind', 'tags'], text: word(text) } }),
  'reserve of a common kind': (query) =>
    call('recall', { query: { ...query, reserve: { kind: 'preference', places: 3 } } }),
  ctxsift: ({ text }) => call('recall', { query: { text, policy: 'ctxsift' } }),
  secondBrain: (query) => call('recall', { query: { ...query, policy: 'secondBrain' } }),
  'every reason': (query) => call('recall', { query: { ...query, explain: true } }),
}
for (const [name, ask] of Object.entries(rows)) {
  if (wanted !== undefined && !wanted.includes(name)) continue
  const best = questions.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++)
    for (const [i, question] of questions.entries()) {
      const from = performance.now()
      await ask(question, i)
      best[i] = Math.min(best[i]!, performance.now() - from)
    }
  print(name, best)
}

function print(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const [median, longest] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!]
  console.log(`${name}: ${median.toFixed(2)} ms, mean ${mean.toFixed(2)}, longest ${longest.toFixed(2)}`)
}
