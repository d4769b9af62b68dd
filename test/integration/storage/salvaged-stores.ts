/** Damages stores, salvages them, and counts the records that are kept. */
import { createEngineOver } from '../../../worker/engine/engine.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import type { Random } from '../../support/data/random.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { asHandedOn, startOfTime } from '../../support/stores/open-engine.ts'
import { exported, fillRich, portableOptions } from '../../support/stores/portable.ts'

export const name = 'damaged'
export const records = 120
export const slow = 240_000

export async function fill(storage: OpenStorage) {
  const engine = createEngineOver(storage, { ...engineOptions, ...portableOptions }, null)
  const opened = {
    database: storage.database,
    call: async (method: never, request: never, now = startOfTime) =>
      asHandedOn(method, await engine.call(method, request, { now })),
  } as unknown as Parameters<typeof fillRich>[0]
  await fillRich(opened, records, 7)
  return { engine, bytes: await exported(opened) }
}

/** Other bytes than before in one place: a page of a file, a part of a value. */
export function damage(bytes: Uint8Array, at: number, length: number, random: Random): void {
  const part = bytes.subarray(at, at + length)
  const kind = random.below(4)
  const place = random.below(part.length)
  if (kind === 0) part.fill(0xa5)
  else if (kind === 1) part[place] = part[place]! ^ (1 << random.below(8))
  else if (kind === 2) part.set(bytes.slice(bytes.length - part.length))
  else for (let i = 0; i < 512; i++) part[(place + i) % part.length] = random.below(256)
}

/** What came out of some stores of one size. */
export async function tally(
  count: number,
  run: (seed: number) => Promise<number>,
): Promise<{ mean: number; none: number }> {
  let sum = 0
  let none = 0
  for (let seed = 1; seed <= count; seed++) {
    const kept = await run(seed)
    sum += kept
    if (kept === 0) none += 1
  }
  return { mean: sum / count / records, none }
}

export const told = (what: string, { mean, none }: { mean: number; none: number }) =>
  process.stdout.write(`salvage, ${what}: ${(100 * mean).toFixed(1)} % of the records on average, nothing of ${none}\n`)
