/**
 * A query that stays answered: asked again when records change, in whichever tab, and told when its answer is another one.
 * One question at a time, and bursts of changes are one change. Loaded when the first one is made.
 */
import { RecallError } from '../../core/model/errors.ts'
import type { RecallQuery } from '../../core/model/query.ts'
import type { RecallResult } from '../../core/model/result.ts'
import { tuning } from '../../core/model/tuning.ts'
import type { EngineEvent } from '../../protocol/events.ts'
import type { LiveOptions, Recall } from '../api/recall.ts'

export interface LiveQuery {
  /** The query as it is asked each time: its vector is made once. */
  prepare(): RecallQuery | Promise<RecallQuery>
  readonly recall: Pick<Recall, 'recall' | 'subscribe'>
  readonly listener: ((result: RecallResult) => void) | undefined
  readonly options: LiveOptions | undefined
}

/** Goes on until the signal is aborted. */
export function watchQuery({ prepare, recall, listener, options }: LiveQuery, signal: AbortSignal): void {
  let query: RecallQuery | undefined
  let told: RecallResult | undefined
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
      if (!signal.aborted && (wasTouched || versionsOf(result) !== versionsOf(told))) {
        told = result
        report(() => listener?.(result))
      }
    } catch (error) {
      if (signal.aborted) return
      // Lost with a tab while the engine lives on: the answer is still to come.
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
    if (event.type === 'changed') isTouched ||= isAbout(event.ids, told)
    if (!isAsking) void ask()
  })
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    stop()
  })
  void ask()
}

function isAbout(ids: readonly string[], told: RecallResult | undefined): boolean {
  const changed = new Set(ids)
  return told?.hits.some(({ id }) => changed.has(id)) ?? false
}

/** Ids and scores, and which version of each record: two answers with the same are one. A source may lower a tier later. */
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

/** What the app's function throws is the app's to see. */
function report(tell: () => void): void {
  try {
    tell()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
