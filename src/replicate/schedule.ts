/** Runs rounds one after another: on request, after a time, and when the page is hidden. */
import { recallError } from '../core/model/errors.ts'
import type { Replication, RoundReport } from './options.ts'

interface Settings {
  readonly round: (signal: AbortSignal) => Promise<RoundReport>
  readonly everyMs: number | null
  readonly onError: ((error: unknown) => void) | undefined
  readonly onRound: ((report: RoundReport) => void) | undefined
}

/** After failures the time between rounds doubles, up to ten times of it. */
const mostDelays = 10

export function createSchedule({ round, everyMs, onError, onRound }: Settings): Replication {
  const end = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  const sync = () => {
    const next = running.then(async () => {
      end.signal.throwIfAborted()
      const report = await round(end.signal)
      onRound?.(report)
      return report
    })
    running = next.catch(() => undefined)
    return next
  }
  const inBackground = () =>
    sync()
      .then(() => {
        failures = 0
      })
      .catch((error: unknown) => {
        failures++
        if (!end.signal.aborted) onError?.(error)
      })
      .finally(plan)
  const plan = () => {
    clearTimeout(timer)
    if (everyMs !== null && !end.signal.aborted)
      timer = setTimeout(inBackground, everyMs * Math.min(2 ** failures, mostDelays))
  }
  const page = (globalThis as { readonly document?: Document }).document
  const onHide = () => {
    if (page?.visibilityState === 'hidden') void inBackground()
  }
  if (everyMs !== null) {
    void inBackground()
    page?.addEventListener('visibilitychange', onHide)
  }
  return {
    sync,
    async stop() {
      end.abort(stopped())
      clearTimeout(timer)
      page?.removeEventListener('visibilitychange', onHide)
      await running
    },
  }
}

function stopped() {
  return recallError('CLOSED', 'The replication is stopped', { hint: 'Call replicate again.' })
}
