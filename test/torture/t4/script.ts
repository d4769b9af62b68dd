/**
 * Steps in sessions that each open the store again. Every step can be repeated: its writes carry an operation id, so
 * that once and twice are the same.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Answer, Arguments, Method } from '../../../src/protocol/engine-api.ts'
import { createRandom } from '../../support/data/random.ts'

export interface Caller {
  call<V extends Method>(method: V, request: Arguments<V>, now: number, operation?: string): Promise<Answer<V>>
}

export interface Step {
  readonly name: string
  run(caller: Caller): Promise<unknown>
}

export interface Session {
  readonly title: string
  /** The content of the disk before: what the previous session left, or a store of the oldest version. */
  readonly from: 'before' | 'old'
  readonly steps: readonly Step[]
}

export const dimensions = 8
export const space = { name: 'eight', dimensions }

const start = Date.UTC(2026, 0, 1)

/** `imported`: an export that is imported, once as a merge and once as a replacement. */
export function writeScript(imported: Uint8Array): readonly Session[] {
  let count = 0
  const step = (name: string, run: (caller: Caller, now: number, operation: string) => Promise<unknown>): Step => {
    const number = (count += 1)
    return { name, run: (caller) => run(caller, start + number * 60_000, `step ${number}`) }
  }
  const put = (from: number, to: number) =>
    step(`put ${from}–${to - 1}`, (caller, now, operation) =>
      caller.call('put', { batch: records(from, to) }, now, operation),
    )
  const forget = (...ids: readonly string[]) =>
    step('forget', (caller, now, operation) => caller.call('forget', { ids }, now, operation))
  const link = (a: string, b: string) =>
    step('link', (caller, now, operation) => caller.call('link', { a, b, weight: 0.5 }, now, operation))
  const patch = (id: string) =>
    step('patch', (caller, now, operation) =>
      caller.call('patch', { id, fields: { body: `patched ${id} acorn` } }, now, operation),
    )
  const acted = (id: string) =>
    step('acknowledge', (caller, now, operation) =>
      caller.call('acknowledge', { of: [id], outcomes: { [id]: 'acted' } }, now, operation),
    )
  const snapshot = () => step('export', exportAll)
  const recall = () =>
    step('recall', (caller, now) => caller.call('recall', { query: { text: 'jay acorn', vector: vectorOf(3) } }, now))
  const compact = () => step('compact', (caller, now) => caller.call('compact', {}, now))
  /** A sound store must never be reported as damaged, and nothing in it be repaired. */
  const check = (repair = false) =>
    step(`integrityCheck${repair ? ', repair' : ''}`, async (caller, now) => {
      const { problems } = await caller.call('integrityCheck', { repair }, now)
      if (problems.length > 0) throw recallError('STORE_CORRUPT', `it was found damaged: ${problems.join('; ')}`)
    })
  const importAll = (mode: 'merge' | 'replace') =>
    step(`import, ${mode}`, async (caller, now, operation) => {
      await caller.call('endImport', { import: operation }, now)
      for (let at = 0; at < imported.length; at += partBytes) {
        const bytes = imported.slice(at, at + partBytes)
        await caller.call('importPart', { import: operation, at, bytes }, now)
      }
      return caller.call('finishImport', { import: operation, mode }, now, operation)
    })

  return [
    { title: 'a new store', from: 'before', steps: [put(0, 6), recall(), put(6, 8), link('r1', 'r2'), snapshot()] },
    { title: 'put', from: 'before', steps: [put(8, 30), patch('r3'), put(2, 4), acted('r5'), recall()] },
    { title: 'forget', from: 'before', steps: [forget('r4', 'r9'), put(30, 33), forget('r6'), link('r1', 'r7')] },
    { title: 'import', from: 'before', steps: [importAll('merge'), recall(), put(33, 35), check()] },
    { title: 'upkeep', from: 'before', steps: [compact(), put(35, 38), patch('r1'), snapshot()] },
    // First of its session: what is not in memory yet must be read.
    { title: 'check', from: 'before', steps: [check(true), recall(), check()] },
    { title: 'replace', from: 'before', steps: [importAll('replace'), put(38, 41), recall()] },
    { title: 'migrate', from: 'old', steps: [recall(), put(0, 5), forget('r2'), snapshot(), compact(), check()] },
  ]
}

export const exportAll = async (caller: Caller, now: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  // Under a new name, the export starts again.
  const own = `export ${(exports += 1)}`
  for (let part = 0; ; part++) {
    const { bytes, isLast } = await caller.call('exportPart', { export: own, part }, now)
    parts.push(bytes)
    if (isLast) break
  }
  await caller.call('endExport', { export: own }, now)
  return Buffer.concat(parts)
}

let exports = 0
const partBytes = 100_000

export function vectorOf(seed: number): Float32Array {
  return createRandom(seed + 1).vector(dimensions)
}

function records(from: number, to: number): readonly RecordInput[] {
  const words = ['jay', 'acorn', 'cache', 'oak', 'winter', 'ledger', 'token', 'nest']
  return Array.from({ length: to - from }, (_, i) => {
    const number = from + i
    const random = createRandom(number)
    const body = Array.from({ length: number % 7 === 0 ? 900 : 40 }, () => random.pick(words)).join(' ')
    return {
      id: `r${number}`,
      title: `the jay ${number}`,
      body,
      tags: [`t${number % 3}`],
      files: number % 4 === 0 ? [{ path: `src/${number}.ts` }] : [],
      vectors: vectorOf(number),
    }
  })
}
