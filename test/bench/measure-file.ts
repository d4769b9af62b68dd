/**
 * Compares a store in a file of Node with one in memory: `npx tsx test/bench/measure-file.ts [records] [rounds]`, over the built package.
 * Both get the same records in batches of 1,000, by turns, and answer the same questions. Prints the best rate of each, the times of questions,
 * whether the answers have equal bytes, and the time from opening the file again to the first answer.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecall, type Recall } from '../../dist/src/index.js'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { createRandom } from '../support/data/random.ts'

const [count = 20_000, rounds = 3] = process.argv.slice(2).map(Number)
const dimensions = 384
const batch = 1_000
const questionCount = 200
const now = () => Date.UTC(2026, 0, 1)
const random = createRandom(1)
const words = Array.from({ length: 4_000 }, (_, i) => `w${((i * 2_654_435_761) % 4_294_967_296).toString(36)}`)
const text = (length: number) =>
  Array.from({ length }, () => words[Math.floor(random.below(4_000) ** 2 / 4_000)]).join(' ')
const vector = () => Float32Array.from({ length: dimensions }, () => random.below(2_001) / 1_000 - 1)
const records = Array.from({ length: count }, (_, i) => ({
  id: `r${i}`,
  body: text(20),
  tags: [`t${i % 3}`],
  vectors: vector(),
}))
const questions = Array.from({ length: questionCount }, () => ({ text: text(4), vector: vector() }))
const embedder = { space: 'random', dimensions, embed: async () => [] }
const folder = mkdtempSync(join(tmpdir(), 'scrubjay-measure-'))

try {
  const best = { memory: fresh(), file: fresh() }
  for (let round = 0; round < rounds; round++) {
    const path = join(folder, `${round}.sqlite`)
    const memory = await openRecall({ name: `memory ${round}`, embedder, now })
    const file = await openRecall({ path, embedder, now })
    // The first one of a round warms the engine up for the other one.
    const pair = [['memory', memory] as const, ['file', file] as const]
    for (const [kind, store] of round % 2 === 0 ? pair : pair.toReversed()) {
      const [wall, own] = await timed(() => put(store))
      best[kind].wallMs = Math.min(best[kind].wallMs, wall)
      best[kind].ownMs = Math.min(best[kind].ownMs, own)
    }
    const [ofMemory, ofFile] = [await answersOf(memory), await answersOf(file)]
    if (ofMemory.answers !== ofFile.answers) throw new Error('the answers differ')
    best.memory.recallMs = Math.min(best.memory.recallMs, ofMemory.medianMs)
    best.file.recallMs = Math.min(best.file.recallMs, ofFile.medianMs)
    await memory.close()
    await file.close()
    const [openMs] = await timed(async () => {
      const again = await openRecall({ path, embedder, now })
      await again.recall(questions[0]!)
      await again.close()
    })
    best.file.openMs = Math.min(best.file.openMs, openMs)
    best.file.bytes = statSync(path).size
  }
  const rate = (ms: number) => Math.round(count / (ms / 1_000))
  const line = (name: string, { wallMs, ownMs, recallMs }: Best) =>
    console.log(
      `${name}: put ${rate(wallMs)}/s (${rate(ownMs)}/s of processor time), recall p50 ${recallMs.toFixed(2)} ms`,
    )
  console.log(
    `${count} records, batches of ${batch}, best of ${rounds} rounds; ${questionCount} questions, equal bytes`,
  )
  line('memory', best.memory)
  line('file', best.file)
  console.log(
    `file / memory: put ${share(best.memory.wallMs, best.file.wallMs)} (${share(best.memory.ownMs, best.file.ownMs)} by processor time)`,
  )
  console.log(
    `opened again to the first answer and closed: ${best.file.openMs.toFixed(0)} ms; file ${(best.file.bytes / 1e6).toFixed(1)} MB`,
  )
} finally {
  rmSync(folder, { recursive: true })
}

interface Best {
  wallMs: number
  ownMs: number
  recallMs: number
  openMs: number
  bytes: number
}

function fresh(): Best {
  const none = Number.POSITIVE_INFINITY
  return { wallMs: none, ownMs: none, recallMs: none, openMs: none, bytes: 0 }
}

async function put(store: Recall): Promise<void> {
  for (let from = 0; from < count; from += batch) await store.put(records.slice(from, from + batch), { atomic: true })
}

async function answersOf(store: Recall): Promise<{ readonly answers: string; readonly medianMs: number }> {
  const answers: unknown[] = []
  const times: number[] = []
  for (const question of questions) {
    const startedMs = performance.now()
    const { tookMs: _, ...answer } = await store.recall(question)
    times.push(performance.now() - startedMs)
    answers.push(answer)
  }
  return { answers: canonicalJson(answers), medianMs: times.toSorted((a, b) => a - b)[questionCount >> 1]! }
}

/** ms on the clock, and of the processor. */
async function timed(work: () => Promise<void>): Promise<readonly [wallMs: number, ownMs: number]> {
  const [startedMs, started] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(started)
  return [performance.now() - startedMs, (user + system) / 1_000]
}

function share(memoryMs: number, fileMs: number): string {
  return `${Math.round((100 * memoryMs) / fileMs)} %`
}
