/** recall: parses, embeds the question and plans, then alternates between deciding and reading until the decision is complete. Writes nothing [D2]. */
import { problemOf, recallError } from '../../../src/core/model/errors.ts'
import type { Policy } from '../../../src/core/model/policy.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import { findPolicy } from '../../../src/core/policies/find-policy.ts'
import { parseRecallQuery } from '../../../src/core/query/parse-query.ts'
import { planQuery } from '../../../src/core/query/plan-query.ts'
import { withoutHeldBack } from '../../../src/core/query/read-signs.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { isOtherScript } from '../../../src/core/text/tokenise/guess-english.ts'
import { needsLanguagesTable } from '../../../src/protocol/embedder.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import type { PackedResult } from '../../../src/protocol/packed-result.ts'
import type { AskedContext } from './as-of.ts'
import type { Ports } from '../common/ports.ts'
import { isOfOtherLanguage } from '../common/other-language.ts'
import { checkDeclared } from '../common/scope.ts'
import { offsetsOf, offsetsOfDevice } from '../common/time-zone.ts'
import { answerFirst } from '../../retrieval/answer-first.ts'

export async function recall(
  ports: Ports,
  input: RecallQuery,
  context: RequestContext,
  withoutVector?: string,
): Promise<PackedResult> {
  const plan = await planOf(ports, input, context, withoutVector)
  return ports.store.reading(() => {
    const { decision, gathering } = answerFirst(plan, ports)
    if (plan.query.capture !== true) return { ...decision, tookMs: 0 }
    // A copy, because the store keeps the records, and an app may change what it gets.
    const facts: CapturedFacts = { plan: gathering.plan, facts: structuredClone(gathering.facts) }
    return { ...decision, tookMs: 0, facts }
  })
}

/** Validates the query, embeds its text and plans. Throws the signal's reason if it aborts meanwhile. */
export async function planOf(
  ports: Ports,
  input: RecallQuery,
  { now, signal, isThen }: AskedContext,
  withoutVector?: string,
): Promise<QueryPlan> {
  const query = parseRecallQuery(input)
  const policy = query.policy === undefined ? ports.policy : findPolicy(query.policy, 'query.policy')
  checkDeclared(query.scope, ports.store)
  const isOfPage = query.timeZone === undefined && ports.options.runtime === 'worker'
  const offsetAt = isOfPage ? offsetsOfDevice : offsetsOf(query.timeZone, 'query.timeZone')
  const { vector, why } = await vectorOf(query, ports, policy, { withoutVector, signal })
  signal?.throwIfAborted()
  return planQuery(vector === null ? query : { ...query, vector }, {
    policy,
    authority: ports.authority,
    stemmer: ports.store.settings.stemmer,
    stopWords: ports.store.forms.stopWords,
    languages: ports.store.settings.languages,
    now,
    offsetAt,
    withoutVector: why,
    isThen,
  })
}

interface VectorOf {
  readonly vector: Float32Array | null
  readonly why: string
}

/** The vector of the question, or why there is none. A query without a vector is answered by words alone; its plan says so. */
async function vectorOf(
  query: RecallQuery,
  ports: Ports,
  policy: Policy,
  { withoutVector, signal }: { readonly withoutVector: unknown; readonly signal: AbortSignal | undefined },
): Promise<VectorOf> {
  const { store, options, index } = ports
  const space = store.space()
  if (query.vector !== undefined) {
    if (space === null) {
      throw recallError('SPACE_MISMATCH', 'must be left out, because the store has no embedding space', {
        field: 'query.vector',
        value: query.vector,
        hint: 'Open the store with an embedder, or ask by text.',
      })
    }
    if (query.vector.length !== space.dimensions) {
      throw recallError('DIMENSION_MISMATCH', `must have ${space.dimensions} dimensions like the space ${space.name}`, {
        field: 'query.vector',
        value: query.vector,
        hint: `Give a vector of ${space.dimensions} dimensions.`,
      })
    }
    if (index?.standsIn?.() !== true || policy.depths.vector === 0) return { vector: query.vector, why: '' }
    const { vector } = await madeHere(query, ports, policy, signal)
    if (vector === null) return { vector: query.vector, why: '' }
    // Records in the language of the question have vectors of the built-in embedder alone.
    const isOther = options.standIn === 'english' && isOfOtherLanguage(store, query.text ?? '')
    return { vector: isOther ? vector : joinVectors(query.vector, vector), why: '' }
  }
  if (space === null) return { vector: null, why: 'the store has no embedding space' }
  if (policy.depths.vector === 0) return { vector: null, why: 'the policy does not use it' }
  const standsIn = index?.standsIn?.() === true
  if (typeof withoutVector === 'string' && withoutVector !== '' && !standsIn)
    return { vector: null, why: notEmbedded(withoutVector) }
  if (options.standIn !== undefined && !standsIn) return { vector: null, why: 'the query came without a vector' }
  return madeHere(query, ports, policy, signal)
}

/** By the embedder of the engine. */
async function madeHere(
  query: RecallQuery,
  { store, embedding }: Ports,
  policy: Policy,
  signal: AbortSignal | undefined,
): Promise<VectorOf> {
  if (embedding === null) return { vector: null, why: 'the query came without a vector' }
  const given = query.text ?? ''
  const text = policy.lexical.units === 'words' ? withoutHeldBack(given) : given
  if (text.trim() === '') return { vector: null, why: 'the query has no text' }
  const embedded = await embedding.embed([text], 'query', { signal })
  if (embedded.kind === 'failed') return { vector: null, why: notEmbedded(problemOf(embedded.error)) }
  const vector = embedded.kind === 'none' ? undefined : embedded.vectors[0]
  if (vector instanceof Float32Array && vector.some((element) => element !== 0)) return { vector, why: '' }
  const isOther = !needsLanguagesTable(store.settings.languages) && isOtherScript(text)
  return {
    vector: null,
    why: isOther
      ? 'the question is not English, and the store’s languages name no other one'
      : 'the embedder knows no word of the query',
  }
}

function joinVectors(own: Float32Array, standIn: Float32Array): Float32Array {
  const both = new Float32Array(own.length + standIn.length)
  both.set(own)
  both.set(standIn, own.length)
  return both
}

/** The plan's reason when embedding fails; the query is then answered by words alone [E2]. */
function notEmbedded(reason: string): string {
  return `the question could not be embedded: ${reason}`
}
