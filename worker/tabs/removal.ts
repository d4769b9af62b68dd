/** Waits until a leader that announced the removal of the store does not have it any more. */
import type { Presence } from './presence.ts'

/** Resolves to false if the leader keeps the store, or if `isOver` says that the tab ended. */
export async function waitForRemoval(leader: string, presence: Presence, isOver: () => boolean): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= longestMs && !isOver(); waitedMs += stepMs) {
    if ((await presence.standingOf(leader)) !== 'leads') return true
    await new Promise((resolve) => setTimeout(resolve, stepMs))
  }
  return false
}

/** ms that a leader has to remove the store after its announcement, and ms between two checks. */
const longestMs = 10_000
const stepMs = 50
