/** Judges a store that was opened after a kill: what it may hold, and what it must hold. */
import { contentsAfter, digestOf, slicesOf, stepAt } from './script.ts'

/** The progress of a script that is certain. */
export interface Progress {
  /** Acknowledged steps. */
  readonly steps: number
  /** Slices of the next step that were acknowledged, or found at an opening. */
  readonly slices: number
}

/**
 * The position in the script of a store with these contents: every acknowledged step is there, and of the next step
 * every acknowledged slice, and perhaps further slices, each complete and in order. Null: the contents match no
 * position, or one before the acknowledged end.
 */
export function placeOf(digest: string, { steps, slices }: Progress): Progress | null {
  const most = slicesOf(stepAt(steps))
  for (let landed = slices; landed <= most; landed++) {
    if (digestOf(contentsAfter(steps, landed)) !== digest) continue
    return landed === most ? { steps: steps + 1, slices: 0 } : { steps, slices: landed }
  }
  return null
}
