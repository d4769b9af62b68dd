/**
 * Checks the options that few apps set: path, embedder, assets, metadata keys, languages. Loaded if one of them is set. Rejects with `INVALID_CONFIG`.
 * Imports nothing that resolve-options.ts also defines, so that bundlers keep that file in one chunk.
 */
import { recallError } from '../../core/model/errors.ts'
import type { GivenLock } from '../../core/model/lock.ts'
import { parseLanguages } from '../../core/model/languages.ts'
import { prototypeNames } from '../../core/model/plain-object.ts'
import { tuning } from '../../core/model/tuning.ts'
import type { Assets, OpenOptions } from '../api/open-options.ts'
import type { Given } from './resolve-options.ts'

/** Resolves to name and storage of a store in a file, and to a copy of the lock; to undefined for any other store. */
export async function checkGiven(options: OpenOptions): Promise<Given | undefined> {
  const { path } = options
  checkOptions(options)
  const lock = options.lock === undefined ? undefined : await checkLock(options)
  if (path == null) {
    if (lock === undefined) return undefined
    if (options.storage !== 'memory') return { lock }
    // Without a value: it is secret.
    const problem = 'must be absent for a store in memory, which writes nothing to the disk'
    throw recallError('INVALID_CONFIG', problem, { field: 'lock', hint: 'Leave `lock` or `storage` out.' })
  }
  checkPath(path, options)
  // oxlint-disable-next-line no-restricted-imports -- package.json gives Node worker/inline.ts under this name, browsers no-inline.ts.
  const { locateFile } = await import('#inline')
  return { name: await locateFile(path), storage: 'file', lock }
}

async function checkLock({ lock, now = Date.now }: OpenOptions): Promise<GivenLock> {
  const checked = await (await import('./check-lock.ts')).giveLock(lock)
  // Whether `now` is a function is checked later.
  return { ...checked, addedMs: Math.trunc(typeof now === 'function' ? now() : Date.now()) }
}

/** What it checks of an embedder, `isPlainlyRight` of open.ts repeats. */
function checkOptions({ embedder, assets, metadataKeys, languages }: OpenOptions): void {
  if (assets !== undefined) checkAssets(assets)
  if (metadataKeys !== undefined) checkMetadataKeys(metadataKeys)
  if (languages !== undefined) parseLanguages(languages)
  if (embedder === undefined || embedder === null) return
  if (typeof embedder !== 'object') {
    const hint = 'Give { space, dimensions, embed }, or one of scrubjay/embedders.'
    throw invalid('embedder', embedder, 'must be an object', hint)
  }
  const { space, dimensions, embed, timeoutMs } = embedder
  if (typeof space !== 'string' || space.trim() === '') {
    throw invalid(
      'embedder.space',
      space,
      'must have a character that is not a space',
      'Give the name and version of the model.',
    )
  }
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > tuning.maxDimensions) {
    const problem = `must be an integer from 1 to ${tuning.maxDimensions}`
    throw invalid('embedder.dimensions', dimensions, problem, 'Give the length of the embedder’s vectors.')
  }
  if (typeof embed !== 'function') {
    throw invalid('embedder.embed', embed, 'must be a function', 'Give embed(texts, role), which resolves to vectors.')
  }
  // A timer takes a longer time as 1 ms.
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= longestTimeoutMs)) {
    const problem = `must be a number of ms above 0, at most ${longestTimeoutMs}`
    throw invalid('embedder.timeoutMs', timeoutMs, problem, 'Leave it out for 10,000 ms.')
  }
}

const longestTimeoutMs = 2 ** 31 - 1

function checkPath(path: unknown, { name, storage = 'auto' }: OpenOptions): void {
  if (typeof path !== 'string' || path.trim() === '' || path.includes('\0'))
    throw invalid('path', path, 'must be the path of a file, as text', 'Give a path, for example "memory.sqlite".')
  if (path === ':memory:' || path.startsWith('file:'))
    throw invalid('path', path, 'must be a path', 'Leave it out for a store in memory; use fileURLToPath for a URL.')
  if (name !== undefined)
    throw invalid('name', name, 'must be absent where `path` is set', 'Leave the name out: the path names the store.')
  if (storage !== 'auto')
    throw invalid('storage', storage, 'must be "auto" where `path` is set', 'Leave out storage, or the path.')
}

const knownAssets: ReadonlySet<string> = new Set<keyof Assets>([
  'worker',
  'sqliteWasm',
  'kernel',
  'embedding',
  'embeddingLanguages',
])

function checkMetadataKeys(keys: readonly string[]): void {
  if (!Array.isArray(keys)) throw invalid('metadataKeys', keys, 'must be an array', 'Give an array of names.')
  for (const [i, key] of keys.entries()) {
    if (prototypeNames.has(key))
      throw invalid(`metadataKeys[${i}]`, key, 'must be a key that metadata can have', 'Give the key another name.')
    if (typeof key === 'string' && key !== '' && keys.indexOf(key) === i) continue
    throw invalid(
      `metadataKeys[${i}]`,
      key,
      'must be distinct and not empty',
      'Give each key a different name that is not empty.',
    )
  }
}

function checkAssets(assets: Assets): void {
  if (typeof assets !== 'object' || assets === null) {
    throw invalid('assets', assets, 'must be an object', 'Give an object of options.')
  }
  for (const [key, value] of Object.entries(assets)) {
    if (!knownAssets.has(key))
      throw invalid(`assets.${key}`, value, 'must be a known option', `Use one of ${[...knownAssets].join(', ')}.`)
    if (value === undefined || value instanceof URL || (key === 'worker' && typeof value === 'function')) continue
    throw invalid(`assets.${key}`, value, 'must be a URL', 'Give an absolute URL object.')
  }
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
