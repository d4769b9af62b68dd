/** Decides which store answers a question: that of now, or that of `asOf` where the store keeps its history [H4]. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import type { Ports } from '../common/ports.ts'

/** The context of a question, and whether it is asked of the store of its `asOf`. */
export interface AskedContext extends RequestContext {
  readonly isThen?: boolean | undefined
}

interface Asked {
  readonly asOf?: number | undefined
  readonly commitEffects?: boolean | undefined
}

/**
 * `answer` gets the store and the context of the time asked for. A time before the history began is asked of the earliest known state, by what its
 * records say of their creation and validity, as in a store without history. An invalid `asOf` is refused by `answer`.
 */
export async function asOf<T>(
  ports: Ports,
  query: unknown,
  context: RequestContext,
  answer: (ports: Ports, context: AskedContext) => Promise<T>,
): Promise<T> {
  const { past, store } = ports
  const { asOf: at, commitEffects } = (query ?? {}) as Asked
  if (past === null || store.history === null || typeof at !== 'number' || !Number.isFinite(at))
    return answer(ports, { ...context, isThen: false })
  const { since } = store.history
  const isThen = at >= since
  const own = { ...context, isThen, now: isThen ? at : context.now }
  const then = past.ask(Math.max(at, since), async (made) => {
    if (commitEffects === true) throw notCommitted(at)
    return answer(made, own)
  })
  return then ?? answer(ports, own)
}

function notCommitted(at: number) {
  return recallError('INVALID_ARGUMENT', 'must be left out, because nothing can be learned in the past', {
    field: 'request.asOf',
    value: at,
    hint: 'Leave out asOf, or commitEffects.',
  })
}
