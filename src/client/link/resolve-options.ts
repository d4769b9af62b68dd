/**
 * Completes the options of an app with the defaults. Refuses unknown names and wrong types with `INVALID_CONFIG`. The engine checks
 * the content of policies; check-given.ts has checked embedder, assets, metadata keys and languages before.
 */
import { recallError } from '../../core/model/errors.ts'
import { absoluteHref } from '../../protocol/absolute-url.ts'
import { type BuiltInEmbedder, builtInSpace, type Embedder } from '../../protocol/embedder.ts'
import type { EngineOptions } from '../../protocol/engine-options.ts'
import type { Assets, OpenOptions } from '../api/open-options.ts'
import { checkName } from './check-name.ts'

export interface ResolvedOptions {
  readonly engine: EngineOptions
  /** The app's own embedder, which the client calls; null if only the engine makes vectors, or if there are none. */
  readonly embedder: Embedder | null
  /** Set if the engine runs the built-in embedder, with the URLs of its tables; undefined: the files of the package. */
  readonly builtIn: { readonly table: URL | undefined; readonly languages: URL | undefined } | null
  /** Of queries that name none; undefined: the engine knows that of its page. */
  readonly timeZone: string | undefined
  readonly now: () => number
  readonly assets: Assets
  /** The options as the app set them. Only these are compared when a store is opened again. */
  readonly given: OpenOptions
}

/** The ways in which this context can run an engine. */
export interface Platform {
  readonly isNode: boolean
  readonly hasWorkers: boolean
}

/** What `checkGiven` found: name and storage of a store in a file, and what opens a locked one. */
export type Given = Partial<Pick<EngineOptions, 'name' | 'storage' | 'lock'>>

/** Resolves options that have passed `checkGiven`, which returned `found`. */
export function resolveOptions(options: OpenOptions, platform: Platform, found?: Given): ResolvedOptions {
  checkKeys(options)
  const name = options.name ?? 'default'
  checkName(name)
  const assets = options.assets ?? {}
  const runtime = resolveRuntime(oneOf('runtime', options.runtime ?? 'auto', ['auto', 'worker', 'inline']), platform)
  const { space, embedder, builtIn, standIn } = resolveEmbedder(options.embedder, assets)
  return {
    engine: {
      name,
      runtime,
      storage: oneOf('storage', options.storage ?? 'auto', ['auto', 'opfs', 'indexeddb', 'memory']),
      policy: options.policy ?? 'balanced',
      authority: options.authority ?? null,
      retention: options.retention ?? null,
      stemmer: options.stemmer && oneOf<'porter' | 'none'>('stemmer', options.stemmer, ['porter', 'none']),
      metadataKeys: options.metadataKeys && [...options.metadataKeys],
      languages: options.languages && [...options.languages],
      index: oneOf('index', options.index ?? 'auto', ['auto', 'exact', 'hnsw']),
      autoLink: oneOf('autoLink', options.autoLink ?? true, [true, false]),
      history: oneOf('history', options.history ?? false, [true, false]),
      space,
      standIn,
      embeds: builtIn !== null || (embedder !== null && embedder.makesVectors !== false),
      embedderFailure: oneOf<'store-without' | 'reject'>(
        'embedderFailure',
        options.embedderFailure ?? 'store-without',
        ['store-without', 'reject'],
      ),
      // An object of functions becomes a text that the worker refuses as a URL. An inline engine uses the object itself.
      extensions: options.extensions && String(options.extensions),
      sqliteWasm: assets.sqliteWasm && absoluteHref(assets.sqliteWasm),
      kernel: assets.kernel && absoluteHref(assets.kernel),
      ...found,
    },
    embedder,
    builtIn,
    timeZone: zoneOf(options.timeZone, platform),
    now: resolveNow(options.now ?? Date.now),
    assets,
    given: options,
  }
}

const known: ReadonlySet<string> = new Set<keyof OpenOptions>([
  'name',
  'path',
  'lock',
  'remote',
  'token',
  'storage',
  'runtime',
  'embedder',
  'embedderFailure',
  'policy',
  'authority',
  'retention',
  'now',
  'index',
  'stemmer',
  'metadataKeys',
  'languages',
  'timeZone',
  'autoLink',
  'history',
  'extensions',
  'assets',
  'onProgress',
])

/** The zone of queries that name none; undefined: the engine knows that of its page. */
export function zoneOf(timeZone: string | undefined, { isNode }: Pick<Platform, 'isNode'>): string | undefined {
  if (timeZone === undefined && !isNode) return undefined
  try {
    return new Intl.DateTimeFormat('en', timeZone === undefined ? {} : { timeZone }).resolvedOptions().timeZone
  } catch {
    throw invalid('timeZone', timeZone, 'must be the IANA name of a time zone', 'Give a name such as "Europe/Berlin".')
  }
}

function resolveRuntime(
  requested: 'auto' | 'worker' | 'inline',
  { isNode, hasWorkers }: Platform,
): 'worker' | 'inline' {
  const runtime = requested === 'auto' ? (isNode ? 'inline' : 'worker') : requested
  if (runtime === 'worker' && !isNode && !hasWorkers) {
    throw invalid(
      'runtime',
      requested,
      'must fit this context, which has no Web Workers',
      'Open the store in a page, an offscreen document or a side panel.',
    )
  }
  return runtime
}

interface Embedding {
  readonly standIn?: EngineOptions['standIn']
  readonly space: EngineOptions['space']
  readonly embedder: ResolvedOptions['embedder']
  readonly builtIn: ResolvedOptions['builtIn']
}

/** Recognizes the built-in embedder by its space, because only the engine has its code. */
function resolveEmbedder(embedder: Embedder | null | undefined, assets: Assets): Embedding {
  if (embedder === null) return { space: null, embedder: null, builtIn: null }
  if (embedder === undefined || isBuiltIn(embedder)) {
    return { space: builtInSpace, embedder: null, builtIn: tablesOf(assets, embedder) }
  }
  const { space, dimensions, inBackground } = embedder
  const own = { space: { name: space, dimensions }, embedder }
  // The length of a vector says whose it is.
  if (inBackground === undefined || embedder.makesVectors === false || dimensions === builtInSpace.dimensions)
    return { ...own, builtIn: null }
  const standIn = oneOf<'english' | 'every'>('embedder.inBackground', inBackground, ['english', 'every'])
  return { ...own, builtIn: tablesOf(assets), standIn }
}

function tablesOf({ embedding, embeddingLanguages }: Assets, embedder?: BuiltInEmbedder) {
  return { table: embedding ?? embedder?.table, languages: embeddingLanguages ?? embedder?.languages }
}

function isBuiltIn(embedder: Embedder): embedder is BuiltInEmbedder {
  return embedder.space === builtInSpace.name && 'table' in embedder
}

function resolveNow(now: () => number): () => number {
  if (typeof now !== 'function')
    throw invalid('now', now, 'must be a function', 'Give a function that returns milliseconds since the epoch.')
  // The engine checks the returned time of each request.
  return () => Math.trunc(now())
}

function oneOf<T extends string | boolean>(field: string, value: T, allowed: readonly T[]): T {
  if (allowed.includes(value)) return value
  throw invalid(field, value, `must be one of ${allowed.join(', ')}`, 'Use one of these values.')
}

function checkKeys(given: object): void {
  if (typeof given !== 'object' || given === null) {
    throw invalid('options', given, 'must be an object', 'Give an object of options.')
  }
  for (const key of Object.keys(given)) {
    if (known.has(key)) continue
    const value = (given as Readonly<Record<string, unknown>>)[key]
    throw invalid(key, value, 'must be a known option', `Use one of ${[...known].join(', ')}.`)
  }
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
