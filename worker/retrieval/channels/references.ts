/** The terms and paths channels: look up the names in the query exactly. */

import { depthOf } from '../question/budget.ts'
import { selectTopOfEach } from '../question/key-parts.ts'
import type { Question } from '../question/question.ts'
import { columnOf, constant, type Found, notRun, type OpenChannel } from './channel.ts'

export function referenceChannels(question: Question): {
  readonly terms: OpenChannel<'terms'>
  readonly paths: OpenChannel<'paths'>
  readonly sources: OpenChannel<'sources'>
} {
  const { store, plan } = question
  const terms = lookUp(question, 'terms', plan.namedTerms, store.keysByTerm)
  const paths = lookUp(question, 'paths', plan.namedPaths, store.keysByFile)
  return {
    terms: constant({ ...terms, columns: (rows) => ({ terms: columnOf(terms.strengths, rows) }) }),
    paths: constant({ ...paths, columns: (rows) => ({ paths: columnOf(paths.strengths, rows) }) }),
    sources: constant({ keys: [], plan: notRun('the policy has no stages'), columns: () => ({ sources: null }) }),
  }
}

/** The records that have one of the names, with strengths. */
function lookUp(
  { store, plan, parts, absent, isInScope }: Question,
  channel: 'terms' | 'paths',
  named: readonly string[],
  keysBy: (named: readonly string[]) => ReadonlyMap<number, number>,
): Pick<Found<never>, 'keys' | 'plan'> & { readonly strengths: ReadonlyMap<number, number> } {
  const depth = depthOf(plan, channel)
  if (named.length === 0 || depth === 0 || absent !== null) {
    const why = named.length === 0 ? 'the query names none' : absent
    return { keys: [], strengths: new Map(), plan: notRun(depth === 0 ? 'the policy does not use it' : (why ?? '')) }
  }
  const all = keysBy(named)
  const matching = Uint32Array.from([...all.keys()].filter(isInScope))
  const strengthOf = (key: number) => all.get(key) ?? 0
  const keys = selectTopOfEach(matching, parts, strengthOf, depth, store)
  return {
    keys,
    strengths: new Map(Array.from(keys, (key) => [key, strengthOf(key)])),
    plan: {
      ran: true,
      mode: 'exact',
      scanned: all.size,
      matched: matching.length,
      complete: keys.length === matching.length,
    },
  }
}
