/**
 * Runs live queries: repeats a query when records change in any tab, and calls the listener when the answer differs. Only one request
 * runs at a time, and a burst of changes gives one request. Loaded with the first live query.
 */
import { RecallError } from '../../core/model/errors.ts'
import type { RecallQuery } from '../../core/model/query.ts'
import type { RecallResult } from '../../core/model/result.ts'
import { tuning } from '../../core/model/tuning.ts'
import type { EngineEvent } from '../../protocol/events.ts'
import type { LiveOptions, Recall } from '../api/recall.ts'

export interface LiveQuery {
  /** Returns the query to send each time. Called once, so that its vector is made once. */
  prepare(): RecallQuery | Promise<RecallQuery>
  readonly recall: Pick<Recall, 'recall' | 'subscribe'>
  readonly listener: ((result: RecallResult) => void) | undefined
  readonly options: LiveOptions | undefined
}

/** Runs until the signal is aborted. */
export function watchQuery({ prepare, recall, listener, options }: LiveQuery, signal: AbortSignal): void {
  let query: RecallQuery | undefined
  let lastResult: RecallResult | undefined
  let isChanged = false
  let isTouched = false
  let isAsking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const ask = async () => {
    isAsking = true
    const wasTouched = isTouched
    isChanged = isTouched = false
    try {
      query ??= await prepare()
      const result = await recall.recall(query, { signal })
      if (!signal.aborted && (wasTouched || versionsOf(result) !== versionsOf(lastResult))) {
        lastResult = result
        report(() => listener?.(result))
      }
    } catch (error) {
      if (signal.aborted) return
      // The answer was lost with a tab, but another tab takes over: ask again.
      if (error instanceof RecallError && error.code === 'LEADER_LOST') isChanged = true
      else report(() => tellError(error, options))
    }
    timer = setTimeout(() => {
      isAsking = false
      if (isChanged) void ask()
    }, tuning.liveQueryMs)
  }

  if (signal.aborted) return
  const stop = recall.subscribe((event: EngineEvent) => {
    if (event.type === 'closed') return
    isChanged = true
    if (event.type === 'changed') isTouched ||= isAbout(event.ids, lastResult)
    if (!isAsking) void ask()
  })
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    stop()
  })
  void ask()
}

function isAbout(ids: readonly string[], result: RecallResult | undefined): boolean {
  const changed = new Set(ids)
  return result?.hits.some(({ id }) => changed.has(id)) ?? false
}

/** Returns a text that is equal for equal answers: ids, scores and the version of each record. Tiers, too: a source may lower them later. */
function versionsOf(result: RecallResult | undefined): string | undefined {
  return (
    result &&
    [result.receipt.digest, ...result.hits.map(({ record }) => [record.updatedAt, record.authorityTier])].join()
  )
}

function tellError(error: unknown, options: LiveOptions | undefined): void {
  if (options?.onError === undefined) throw error
  options.onError(error)
}

/** Calls a function of the app. An error that it throws becomes an uncaught error. */
function report(tell: () => void): void {
  try {
    tell()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
