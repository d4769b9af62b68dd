/** What a store that was opened after a kill may hold, and what it must hold. */
import { contentsAfter, digestOf, slicesOf, stepAt } from './script.ts'

/** How far a script has come for sure. */
export interface Progress {
  /** Acknowledged steps. */
  readonly steps: number
  /** Slices of the next step that were acknowledged, or found at an opening. */
  readonly slices: number
}

/**
 * Where a store with these contents stands: every acknowledged step is there, and of the one after it every acknowledged slice, and
 * perhaps further ones, each whole and behind the one before it. Null: it stands nowhere in the script, or behind what was acknowledged.
 */
export function placeOf(digest: string, { steps, slices }: Progress): Progress | null {
  const most = slicesOf(stepAt(steps))
  for (let landed = slices; landed <= most; landed++) {
    if (digestOf(contentsAfter(steps, landed)) !== digest) continue
    return landed === most ? { steps: steps + 1, slices: 0 } : { steps, slices: landed }
  }
  return null
}
