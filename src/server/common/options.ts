/** Options of a server, and their defaults. */
import type { OpenOptions } from '../../client/api/open-options.ts'
import { type RecallError, recallError } from '../../core/model/errors.ts'
import type { BlockStore } from '../../protocol/blocks.ts'
import type { Queries } from '../postgres/block-store.ts'

export interface ServerOptions {
  /** URL of the database, or a pool of `pg`. The server ends the pool that it made itself. */
  readonly postgres: string | (Queries & { end?(): Promise<void> })
  /** Schema of the tables; created if it does not exist. Default `scrubjay`. */
  readonly schema?: string | undefined
  /** Connections of the pool that the server makes. Default 10. */
  readonly connections?: number | undefined
  /** The store of each token, by the token's SHA-256 in hexadecimal digits (`hashToken`). */
  readonly tokens?: Readonly<Record<string, string>> | undefined
  /** Instead of `tokens`: resolves to the store of a token, or to null if it is not valid. */
  readonly authenticate?: ((token: string) => Promise<string | null> | string | null) | undefined
  /** Options of every store. */
  readonly store?:
    | Pick<
        OpenOptions,
        | 'embedder'
        | 'embedderFailure'
        | 'policy'
        | 'authority'
        | 'retention'
        | 'index'
        | 'stemmer'
        | 'metadataKeys'
        | 'languages'
        | 'assets'
        | 'autoLink'
        | 'extensions'
      >
    | undefined
  readonly limits?: Limits | undefined
  /** Engines kept in memory. Default 200. */
  readonly openStores?: number | undefined
  /** Threads that run the engines, so that one process uses several cores. Default 0: the engines run in the thread of the server. */
  readonly threads?: number | undefined
  /** Keeps closed stores in files of a folder, which makes opening them again cheaper. Default: none. */
  readonly cache?: CacheOptions | undefined
  /** Answers may miss writes of other nodes that are younger than this, in ms. Default 0. */
  readonly staleMs?: number | undefined
  /** ms between two looks for changes of other nodes, for live queries. Default 1,000. */
  readonly pollMs?: number | undefined
  /** Origins of pages that may connect; `*`: all. Default: none but that of the server. */
  readonly origins?: readonly string[] | '*' | undefined
  /** Called with errors that no client gets. They hold no text of a record. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Files of closed stores. They are encrypted, and deleted when the server starts and closes. */
export interface CacheOptions {
  /** Of this process alone. Created if it does not exist. */
  readonly folder: string
  /** Bytes of all files; the oldest is deleted first. Default 1 GiB. */
  readonly bytes?: number | undefined
  /** Files that were not used for longer are deleted, in ms. Default 1 h. */
  readonly maxAgeMs?: number | undefined
}

export type ResolvedCache = { readonly [Name in keyof CacheOptions]-?: NonNullable<CacheOptions[Name]> }

/** Limits of each store on this node. */
export interface Limits {
  /** Default 1,000,000. */
  readonly records?: number | undefined
  /** Bytes of one request. Default 16 MiB. */
  readonly requestBytes?: number | undefined
  /** Calls a second on average; twice as many at once. Default 200. */
  readonly callsPerSecond?: number | undefined
  /** Connections at the same time. Default 100. */
  readonly connections?: number | undefined
  /**
   * Of the whole node: connections that have not given a valid token yet. When there are more, the oldest is closed. A connection without a token is
   * closed after 10 s, and after 64 KiB. Default 256.
   */
  readonly strangers?: number | undefined
}

export type ResolvedLimits = { readonly [Name in keyof Limits]-?: number }

export interface ResolvedServer extends ServerOptions {
  readonly schema: string
  readonly limits: ResolvedLimits
  readonly openStores: number
  readonly pollMs: number
  readonly threads: number
  readonly cache: ResolvedCache | undefined
}

/** Opens the rows of one store. */
export type OpenBlocks = (tenant: string) => BlockStore

export function resolveServer(options: ServerOptions): ResolvedServer {
  const { limits = {}, schema = 'scrubjay' } = options
  if ((options.tokens === undefined) === (options.authenticate === undefined))
    throw invalid('tokens', options.tokens, 'must be given, or authenticate, but not both', 'Give one of the two.')
  for (const hash of Object.keys(options.tokens ?? {}))
    if (!/^[0-9a-f]{64}$/.test(hash))
      throw invalid('tokens', '…', 'must have SHA-256 hashes of tokens as names', 'Make them with hashToken(token).')
  return {
    ...options,
    schema,
    limits: {
      records: positive('limits.records', limits.records ?? 1_000_000),
      requestBytes: positive('limits.requestBytes', limits.requestBytes ?? 16 * 1024 * 1024),
      callsPerSecond: positive('limits.callsPerSecond', limits.callsPerSecond ?? 200),
      connections: positive('limits.connections', limits.connections ?? 100),
      strangers: positive('limits.strangers', limits.strangers ?? 256),
    },
    openStores: positive('openStores', options.openStores ?? 200),
    threads: countOf('threads', options.threads ?? 0),
    cache: cacheOf(options.cache),
    pollMs: positive('pollMs', options.pollMs ?? 1_000),
  }
}

function cacheOf(cache: CacheOptions | undefined): ResolvedCache | undefined {
  if (cache === undefined) return undefined
  const { folder, bytes = 1024 ** 3, maxAgeMs = 3_600_000 } = cache
  if (typeof folder !== 'string' || folder === '')
    throw invalid('cache.folder', folder, 'must be the path of a folder', 'Give each process a folder of its own.')
  return { folder, bytes: positive('cache.bytes', bytes), maxAgeMs: positive('cache.maxAgeMs', maxAgeMs) }
}

function countOf(field: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 1_024) return value
  throw invalid(field, value, 'must be an integer from 0 to 1024', 'Leave it out for the default.')
}

function positive(field: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  throw invalid(field, value, 'must be a number above 0', 'Leave it out for the default.')
}

function invalid(field: string, value: unknown, problem: string, hint: string): RecallError {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
