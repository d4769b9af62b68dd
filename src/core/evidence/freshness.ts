/**
 * Computes the freshness of a record from its file references and the current states of the files.
 * Depends on its arguments only: no disk, no clock, and nothing is stored.
 */
import type { FileReference } from '../model/record.ts'
import type { Freshness } from '../model/result.ts'

/** The current state of a file, as the app knows it. */
export interface FileState {
  /** `\` counts as `/`. Otherwise paths are compared as text. */
  readonly path: string
  readonly exists: boolean
  /** Content hash, in the form of the records: hashes are compared as text. */
  readonly sha256?: string | null | undefined
  /** Modification time, ms since the epoch. */
  readonly mtime?: number | null | undefined
  /** Git status code, for example `M` or `D`; blank for an unchanged file. */
  readonly git?: string | null | undefined
}

/** The input of `checkFiles`: a state, or a path whose state is deleted. */
export type FileCheck = FileState | ForgottenFile

export interface ForgottenFile {
  readonly path: string
  /** Null: deletes the state and the path, in the store and in exports. */
  readonly exists: null
}

export interface FreshnessOptions {
  /**
   * The file that decides: `worst` (default), or `first-stale`, CtxSift's choice: the first stale one in the order of the
   * references, else the worst.
   */
  readonly pick?: 'worst' | 'first-stale' | undefined
}

/** The captured command may write a file for this long after the capture. */
const captureSlackMs = 1000

/**
 * The freshness of a record with these references, captured at `capturedAt` (ms). `states`: an array, in which the last state
 * of a path counts, or a Map by path from `fileStatesByPath`, which is faster for many records. Without references:
 * `unverifiable`. Rules and their order: docs/spec/recall.md#freshness.
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

/** States by path, with `/` instead of `\`. The last state of a path counts. */
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
  // An unknown time is NaN, which is never later.
  return (state.mtime ?? Number.NaN) > capturedAt + captureSlackMs ? 'stale_changed' : 'fresh'
}

function isKnown(hash: string | null | undefined): boolean {
  return hash !== undefined && hash !== null && hash !== ''
}

function stateOf(path: string, states: ReadonlyMap<string, FileState>): FileState | undefined {
  const slashed = withSlashes(path)
  // A blank path has no state. The second lookup is for a caller's own map with Windows paths as keys.
  if (slashed.trim() === '') return undefined
  return states.get(slashed) ?? states.get(slashed.replaceAll('/', '\\'))
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}
