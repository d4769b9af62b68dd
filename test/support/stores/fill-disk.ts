/** Fills a store until its disk is full, for the tests of [P3]. */
import { RecallError } from '../../../src/core/model/errors.ts'
import type { Engine } from '../../../worker/engine/engine.ts'

const context = { now: Date.UTC(2026, 0, 1) }

/** About 8 kB of text each. */
export function recordOf(number: number) {
  const words = Array.from({ length: 1_200 }, (_, i) => `word${Math.imul(number + 1, i + 7) % 997}`)
  return { id: `r${number}`, project: 'full', body: `canary${number}x ${words.join(' ')}` }
}

/** Ids of acknowledged records. */
export async function fill(engine: Engine, perPut: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; ; at += perPut) {
    const batch = Array.from({ length: perPut }, (_, i) => recordOf(at + i))
    try {
      await engine.call('put', { batch }, context)
    } catch (error) {
      if (!(error instanceof RecallError) || error.code !== 'QUOTA_EXCEEDED') throw error
      return ids
    }
    ids.push(...batch.map(({ id }) => id))
  }
}

export async function idsOf(engine: Engine): Promise<readonly string[]> {
  const { items } = await engine.call('list', { filter: { limit: 1_000 } }, context)
  return items.map(({ id }) => id).toSorted()
}
