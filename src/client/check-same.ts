/** Rejects a second `openRecall` whose options differ from those of the open store. Loaded when a store is opened again. */
import { recallError } from '../core/model/errors.ts'
import type { Status } from '../core/model/status.ts'
import { isSameLock } from './link/check-lock.ts'
import type { ResolvedOptions } from './link/resolve-options.ts'
import type { JoinableEngine, SharedEngine } from './shared-engine.ts'

const fixed = [
  'runtime',
  'index',
  'autoLink',
  'history',
  'embedderFailure',
  'authority',
  'retention',
  'extensions',
  'space',
] as const

/** Rejects with `INVALID_CONFIG`, `LOCKED` or `WRONG_KEY`. Compares only options that the second opener sets itself. */
export async function checkSame(engine: JoinableEngine, { engine: requested, given }: ResolvedOptions): Promise<void> {
  if (!isSameLock(engine.options.lock, requested.lock)) await engine.send('locks', { check: requested.lock! })
  for (const field of fixed) {
    if (given[field === 'space' ? 'embedder' : field] !== undefined)
      compare(engine, field, requested[field], engine.options[field])
  }
  const { stemmer, metadataKeys, languages, storage } = requested
  const asksStorage = given.storage !== undefined && storage !== 'auto'
  if (!asksStorage && stemmer === undefined && metadataKeys === undefined && languages === undefined) return
  const { backend, settings }: Status = await engine.send('status', {})
  if (asksStorage) compare(engine, 'storage', storage, backend)
  if (stemmer !== undefined) compare(engine, 'stemmer', stemmer, settings.stemmer)
  if (metadataKeys !== undefined)
    compare(engine, 'metadataKeys', metadataKeys.toSorted(), settings.metadataKeys.toSorted())
  if (languages !== undefined) compare(engine, 'languages', languages.toSorted(), settings.languages.toSorted())
}

function compare({ options: { name } }: SharedEngine, field: string, requested: unknown, open: unknown): void {
  if (requested === 'auto' || JSON.stringify(requested) === JSON.stringify(open)) return
  throw recallError(
    'INVALID_CONFIG',
    `must be ${JSON.stringify(open)}, the value of the open store ${JSON.stringify(name)}`,
    {
      field: field === 'space' ? 'embedder' : field,
      got: JSON.stringify(requested),
      hint: 'Close the store first, or give the same option.',
    },
  )
}
