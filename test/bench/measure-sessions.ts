/**
 * Compares a chat in sessions with the same texts without, in this process: `npx tsx test/bench/measure-sessions.ts [records] [questions]
 * [rounds]`, over the set locomo (SCRUBJAY_EVAL_DATA). Both stores are asked by turns. Of each question the shortest time of all rounds
 * counts; prints the means over the questions.
 */
import { performance } from 'node:perf_hooks'
import { dimensions, loadDataset } from '../quality/datasets.ts'
import { createRandom } from '../support/data/random.ts'
import { openOver } from '../support/stores/open-over.ts'
import { grownTo } from './records.ts'

const [count = 33_000, asked = 60, rounds = 5] = process.argv.slice(2).map(Number)
const turnsOfSession = 24
const chat = loadDataset('locomo')
if (chat?.minilm == null)
  throw new Error('needs the set locomo with its vectors; set SCRUBJAY_EVAL_DATA to the folder that holds it')
const { documents, questions, minilm } = chat
const texts = grownTo(count, [...new Set(documents.map(({ text }) => text).filter((text) => text.trim() !== ''))])
const random = createRandom(45)
const rows = questions
  .map((_, i) => i)
  .filter((i) => i % Math.floor(questions.length / asked) === 0)
  .slice(0, asked)

const stores = { plain: await filled(false), sessions: await filled(true) }
for (const mode of ['words', 'hybrid'] as const) {
  const best = { plain: [] as number[], sessions: [] as number[] }
  for (let round = 0; round < rounds; round++)
    for (const [at, row] of rows.entries())
      for (const name of ['plain', 'sessions'] as const) {
        const { text } = questions[row]!
        const vector = minilm.questions.slice(row * dimensions, (row + 1) * dimensions)
        const query = { ...(mode === 'words' ? { text } : { text, vector }), limit: 10 }
        const from = performance.now()
        await stores[name].call('recall', { query })
        best[name][at] = Math.min(best[name][at] ?? Number.POSITIVE_INFINITY, performance.now() - from)
      }
  const [plain, sessions] = [meanOf(best.plain), meanOf(best.sessions)]
  console.log(
    `${mode}: ${plain.toFixed(2)} ms, in sessions ${sessions.toFixed(2)} ms: ${(sessions / plain).toFixed(2)} times`,
  )
}

async function filled(inSessions: boolean) {
  const store = await openOver({ space: { name: 'minilm', dimensions } })
  const records = texts.map((body, i) => ({
    id: `r${i}`,
    body,
    vectors: [vectorNear(i)],
    ...(inSessions ? { session: `s${Math.floor(i / turnsOfSession)}`, position: i % turnsOfSession } : {}),
  }))
  for (let from = 0; from < count; from += 1000) await store.call('put', { batch: records.slice(from, from + 1000) })
  return store
}

/** The vector of a turn of the set, with noise where there are more turns. */
function vectorNear(i: number): Float32Array {
  const row = i % documents.length
  const own = minilm!.documents.slice(row * dimensions, (row + 1) * dimensions)
  return i < documents.length ? own : own.map((value) => value + (random.next() - 0.5) * 0.06)
}

function meanOf(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / times.length
}
