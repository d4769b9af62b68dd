/** Runs `work` for each call, one at a time: calls during a run lead to one more run after it. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isAsked = false
  return () => {
    isAsked = true
    running ??= (async () => {
      try {
        while (isAsked) {
          isAsked = false
          await work()
        }
      } finally {
        running = undefined
      }
    })()
    return running
  }
}
