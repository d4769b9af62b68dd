/** What a history knows of its processes, and what it writes down. */
import type { Actor } from './actors.ts'
import type { FileModel, Finding } from './oracle.ts'

export interface Holder {
  readonly actor: Actor
  open: { readonly path: string; readonly file: FileModel } | null
  /** A write that was not answered when the process was stopped. */
  pending: Promise<void> | null
}

export interface Log {
  readonly findings: Finding[]
  /** One line for each operation that was carried out, and lines for its answers. */
  readonly trace: string[]
  readonly tally: Tally
}

export interface Tally {
  acknowledged: number
  refused: number
  openings: number
  exchanges: number
  /** ms. */
  longestOpening: number
}
