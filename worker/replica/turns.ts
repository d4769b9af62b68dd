/**
 * Lets other nodes write. A node that lost a race must pull and plan again before it can write, while the winner only plans: without a pause of the
 * winner, it would lose every race.
 */

export interface Turns {
  /** To be called when another node waits: the next writes of this node wait for one of it. */
  yield(): void
  /** Resolves when this node may write. */
  mine(): Promise<void>
}

/** ms that a node waits at first. Where that was too short, it waits twice as long the next time. */
const firstTurnMs = 100
const longestTurnMs = 2_000
const pollMs = 5

/** `othersWrote`: whether another node has written since, or this one is closed. */
export function createTurns(othersWrote: () => Promise<boolean>): Turns {
  let turnMs = firstTurnMs
  let until = 0
  let waiting: Promise<void> | null = null

  const wait = async () => {
    while (performance.now() < until) {
      await new Promise<void>((resolve) => setTimeout(resolve, pollMs))
      if (!(await othersWrote())) continue
      turnMs = firstTurnMs
      until = 0
    }
  }
  return {
    yield() {
      until = performance.now() + turnMs
      turnMs = Math.min(2 * turnMs, longestTurnMs)
    },
    mine() {
      waiting ??= wait().finally(() => void (waiting = null))
      return waiting
    },
  }
}
