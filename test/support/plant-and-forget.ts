/**
 * Makes the conditions that leave copies in unallocated space: an engine over any storage that stores secrets among
 * other texts, and forgets the secrets.
 */
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import { createEngineOver, type Engine } from '../../worker/engine/engine.ts'
import type { OpenStorage } from '../../worker/storage/common/port.ts'
import { createRandom } from './data/random.ts'
import { engineOptions } from './stores/engine-options.ts'

const options: EngineOptions = {
  ...engineOptions,
  name: 'erasure',
  storage: 'indexeddb',
  runtime: 'worker',
  space: { name: 'eight', dimensions: 8 },
}
const context = { now: Date.UTC(2026, 0, 1) }

function canary(seed: number): string {
  const random = createRandom(seed)
  return Array.from({ length: 32 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('')
}

export interface Forgotten {
  readonly engine: Engine
  /** Text that must be found nowhere. */
  readonly needles: readonly string[]
}

/**
 * Secrets that fill pages of their own and share pages with others, so that trees are balanced as they come and go. `atOnce`: how many are
 * forgotten in a transaction.
 */
export async function plantAndForget(storage: OpenStorage, seed: number, atOnce = 100): Promise<Forgotten> {
  const engine = createEngineOver(storage, options, null)
  await storage.flush?.()
  const random = createRandom(seed)
  const canaries = Array.from({ length: 100 }, (_, i) => canary(seed * 1000 + i))
  const secrets = canaries.map((word, i) => ({
    id: `secret-${i}`,
    // Of many lengths: grouped rows of one length fill their pages without moves.
    body: `${'padding '.repeat(20 + random.below(400))} ${word}`,
    tags: [word],
    vectors: random.vector(8),
  }))
  await engine.call('put', { batch: secrets }, context)
  await engine.call('put', { batch: Array.from({ length: 50 }, (_, i) => otherRecord(i)) }, context)
  for (let from = 0; from < secrets.length; from += atOnce)
    await engine.call('forget', { ids: secrets.slice(from, from + atOnce).map(({ id }) => id) }, context)
  // A term of the index may share its beginning with another: its last half counts, too.
  return { engine, needles: canaries.flatMap((word) => [word, word.slice(16)]) }
}

function otherRecord(i: number) {
  return { id: `other-${i}`, body: `jay ${i}` }
}
