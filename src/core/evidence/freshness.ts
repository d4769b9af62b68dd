/**
 * Whether what a record says of files still holds, from what is known of the files now.
 * Decides from given facts alone: reads no disk, no clock, and never writes its answer down.
 */
import type { FileReference } from '../model/record.ts'
import type { Freshness } from '../model/result.ts'

/** What the app knows of a file now. */
export interface FileState {
  /** `\` counts as `/`; otherwise paths are compared as text. */
  readonly path: string
  readonly exists: boolean
  /** Content hash, written as in the record: hashes are compared as text. */
  readonly sha256?: string | null | undefined
  /** Modification time, ms since the epoch. */
  readonly mtime?: number | null | undefined
  /** Git status code, for example `M` or `D`; blank for an unchanged file. */
  readonly git?: string | null | undefined
}

/** What `checkFiles` takes: a state, or a path of which nothing is to be known any more. */
export type FileCheck = FileState | ForgottenFile

export interface ForgottenFile {
  readonly path: string
  /** Null: what was said of this path is forgotten, and the path with it. It leaves the files of the store, and exports. */
  readonly exists: null
}

export interface FreshnessOptions {
  /**
   * Which file speaks for the record: the worst (default), or CtxSift's choice, the first stale one in the order of
   * the references, and the worst where none is stale.
   */
  readonly pick?: 'worst' | 'first-stale' | undefined
}

/** How long after its capture a file may still have been written by the command that was captured. */
const captureSlackMs = 1000

/**
 * The freshness of a record with these references, captured at `capturedAt` (ms). `states`: an array, of which the last
 * for a path counts, or a Map by path (quicker for many records: `fileStatesByPath`). No references: `unverifiable`.
 * Rules and their order: docs/spec.md#freshness.
 */
export function freshnessOf(
  files: readonly FileReference[],
  states: readonly FileState[] | ReadonlyMap<string, FileState>,
  capturedAt: number,
  { pick = 'worst' }: FreshnessOptions = {},
): Freshness {
  const byPath = states instanceof Map ? states : fileStatesByPath(states as readonly FileState[])
  const found = files.map((file) => freshnessOfFile(file, stateOf(file.path, byPath), capturedAt))
  if (pick === 'first-stale') {
    const stale = found.find((freshness) => freshness === 'stale_changed' || freshness === 'stale_deleted')
    if (stale !== undefined) return stale
  }
  return worstFirst.find((freshness) => found.includes(freshness)) ?? 'unverifiable'
}

/** States by path, with `/` for `\`; of two for one path the later counts. */
export function fileStatesByPath(states: readonly FileState[]): Map<string, FileState> {
  return new Map(states.map((state) => [withSlashes(state.path), state]))
}

const worstFirst: readonly Freshness[] = ['stale_deleted', 'stale_changed', 'unknown', 'fresh']

function freshnessOfFile(file: FileReference, state: FileState | undefined, capturedAt: number): Freshness {
  if (state === undefined) return 'unknown'
  const existed = file.existed ?? true
  if (existed && !state.exists) return 'stale_deleted'
  if (!existed) return state.exists ? 'stale_changed' : 'unknown'
  const code = state.git?.trim() ?? ''
  if (code !== '') return code === 'D' ? 'stale_deleted' : 'stale_changed'
  if (isKnown(file.sha256) && isKnown(state.sha256)) return file.sha256 === state.sha256 ? 'fresh' : 'stale_changed'
  // NaN for no time known, which is never later.
  return (state.mtime ?? Number.NaN) > capturedAt + captureSlackMs ? 'stale_changed' : 'fresh'
}

function isKnown(hash: string | null | undefined): boolean {
  return hash !== undefined && hash !== null && hash !== ''
}

function stateOf(path: string, states: ReadonlyMap<string, FileState>): FileState | undefined {
  const slashed = withSlashes(path)
  // A blank path resolves to nothing. The second look finds a caller's own map, keyed as Windows writes paths.
  if (slashed.trim() === '') return undefined
  return states.get(slashed) ?? states.get(slashed.replaceAll('/', '\\'))
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}
