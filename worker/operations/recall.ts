/** recall: parse, embed the question, plan, then gather and decide in turns until deciding needs nothing more. Writes nothing (D2). */
import { deciding, type Decision } from '../../src/core/decide.ts'
import { recallError } from '../../src/core/model/errors.ts'
import type { Policy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import { checkPolicy } from '../../src/core/policies/check-policy.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { parseRecallQuery } from '../../src/core/query/parse-query.ts'
import type { CapturedFacts } from '../../src/core/replay.ts'
import { planQuery, type QueryPlan } from '../../src/core/query/plan-query.ts'
import type { PackedResult } from '../../src/protocol/packed-result.ts'
import { gather } from '../gather/gather.ts'
import type { Ports } from '../ports.ts'
import { checkDeclared } from './scope.ts'

export async function recall(ports: Ports, input: RecallQuery, now: number): Promise<PackedResult> {
  const query = parseRecallQuery(input)
  const policy = resolvePolicy(query.policy, ports.options.policy)
  checkDeclared(query.scope, ports.store)
  const { vector, why } = await vectorOf(query, ports)
  const plan = planQuery(vector === null ? query : { ...query, vector }, {
    policy,
    stemmer: ports.store.settings.stemmer,
    now,
    withoutVector: why,
  })
  const { decision, facts } = answer(plan, ports)
  return { ...decision, tookMs: 0, ...(query.capture === true ? { facts } : {}) }
}

function answer(plan: QueryPlan, ports: Ports): { decision: Decision; facts: CapturedFacts } {
  return ports.store.reading(() => {
    const gathering = gather(plan, ports)
    const steps = deciding(plan, gathering.facts)
    for (;;) {
      const step = steps.next()
      if (step.done) return { decision: step.value, facts: { plan, facts: gathering.facts } }
      gathering.read(step.value.need)
    }
  })
}

function resolvePolicy(asked: Policy | string | undefined, preset: Policy): Policy {
  if (asked === undefined) return preset
  if (typeof asked !== 'string') return checkPolicy(asked)
  const known: Policy | undefined = Object.hasOwn(policies, asked)
    ? policies[asked as keyof typeof policies]
    : undefined
  if (known === undefined) {
    throw recallError('INVALID_POLICY', 'is not a known policy', {
      field: 'query.policy',
      value: asked,
      cure: `Use one of ${Object.keys(policies).join(', ')}, or pass a literal.`,
    })
  }
  return known
}

/** The vector of the question, or why there is none: a query without one is answered by words alone and says so. */
async function vectorOf(
  query: RecallQuery,
  { store, embedding }: Ports,
): Promise<{ vector: Float32Array | null; why: string }> {
  const space = store.space()
  if (query.vector !== undefined) {
    if (space === null) {
      throw recallError('SPACE_MISMATCH', 'the store has no embedding space', {
        field: 'query.vector',
        cure: 'Open the store with an embedder, or ask by text.',
      })
    }
    if (query.vector.length !== space.dimensions) {
      throw recallError(
        'DIMENSION_MISMATCH',
        `has ${query.vector.length} dimensions, the space ${space.name} has ${space.dimensions}`,
        {
          field: 'query.vector',
          cure: `Give ${space.dimensions} dimensions.`,
        },
      )
    }
    return { vector: query.vector, why: '' }
  }
  if (space === null) return { vector: null, why: 'the store has no embedding space' }
  if (embedding === null) return { vector: null, why: 'the query came without a vector' }
  const text = query.text ?? ''
  if (text.trim() === '') return { vector: null, why: 'the query has no text' }
  const [vector] = await embedding.embed([text], 'query')
  return vector === undefined || vector.every((element) => element === 0)
    ? { vector: null, why: 'the embedder knows no word of the query' }
    : { vector, why: '' }
}
