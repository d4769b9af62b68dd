/** Holds a second opener of a store to what is open. Loaded when there is one. */
import { recallError } from '../core/model/errors.ts'
import type { Status } from '../core/model/result.ts'
import type { ResolvedOptions } from './link/resolve-options.ts'
import type { JoinableEngine, SharedEngine } from './shared-engine.ts'

const fixed = [
  'runtime',
  'index',
  'autoLink',
  'embedderFailure',
  'authority',
  'retention',
  'extensions',
  'space',
] as const

/** Rejects with INVALID_CONFIG. Only what the second opener said itself can contradict; a default goes along. */
export async function checkSame(engine: JoinableEngine, { engine: wishes, given }: ResolvedOptions): Promise<void> {
  for (const field of fixed) {
    if (given[field === 'space' ? 'embedder' : field] !== undefined)
      compare(engine, field, wishes[field], engine.options[field])
  }
  const { stemmer, metadataKeys, storage } = wishes
  const asksStorage = given.storage !== undefined && storage !== 'auto'
  if (!asksStorage && stemmer === undefined && metadataKeys === undefined) return
  const { backend, settings }: Status = await engine.send('status', {})
  if (asksStorage) compare(engine, 'storage', storage, backend)
  if (stemmer !== undefined) compare(engine, 'stemmer', stemmer, settings.stemmer)
  if (metadataKeys !== undefined)
    compare(engine, 'metadataKeys', metadataKeys.toSorted(), settings.metadataKeys.toSorted())
}

function compare({ options: { name } }: SharedEngine, field: string, wish: unknown, open: unknown): void {
  if (wish === 'auto' || JSON.stringify(wish) === JSON.stringify(open)) return
  throw recallError(
    'INVALID_CONFIG',
    `must be ${JSON.stringify(open)}, with which the store ${JSON.stringify(name)} is open`,
    {
      field: field === 'space' ? 'embedder' : field,
      got: JSON.stringify(wish),
      hint: 'Close the store first, or give the same option.',
    },
  )
}
