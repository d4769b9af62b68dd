/** The channels of an answer, in the order of plans and ranks. */
import type { PullChannel } from '../../../src/core/model/result.ts'
import type { CandidateBudget } from '../question/budget.ts'
import type { RetrievalPorts } from '../question/ports.ts'
import type { Question } from '../question/question.ts'
import { lexicalChannel } from './lexical.ts'
import { linkedChannel } from './linked.ts'
import { preferredChannel } from './preferred.ts'
import { recentChannel } from './recent.ts'
import { referenceChannels } from './references.ts'
import { substringChannels } from './substrings.ts'
import { timesChannel } from './times.ts'
import { vectorChannel } from './vector.ts'

export type OpenChannels = ReturnType<typeof openChannels>
export type FoundRecords = ReturnType<typeof collectFrom>

/** `first`: the budget that is collected first. */
export function openChannels(question: Question, ports: RetrievalPorts, first: CandidateBudget) {
  const lexical = lexicalChannel(question, ports)
  const times = timesChannel(question)
  const { terms, paths, sources } = substringChannels(question) ?? referenceChannels(question)
  return {
    lexical,
    terms,
    paths,
    sources,
    linked: linkedChannel(question),
    anchors: preferredChannel(question),
    vector: vectorChannel(question, ports, first.nearest, () => [...lexical.matches, ...times.keys]),
    recent: recentChannel(question),
    times,
  } satisfies Record<PullChannel | 'sources' | 'times', unknown>
}

/** What each channel finds within the budget. */
export function collectFrom(channels: OpenChannels, budget: CandidateBudget) {
  return {
    lexical: channels.lexical.collect(budget),
    terms: channels.terms.collect(budget),
    paths: channels.paths.collect(budget),
    sources: channels.sources.collect(budget),
    linked: channels.linked.collect(budget),
    anchors: channels.anchors.collect(budget),
    vector: channels.vector.collect(budget),
    recent: channels.recent.collect(budget),
    times: channels.times,
  }
}

/** Whether words, vectors or times find the record. What few records have is always a candidate, so other channels need no such test. */
export function isFoundBy(
  { plan, isInScope }: Question,
  { lexical, vector, times }: OpenChannels,
): (key: number) => boolean {
  return (key) => isInScope(key) && (plan.listing || lexical.matched(key) > 0 || vector.has(key) || times.has(key))
}
