/** Random records, queries and policies that use every rule by which a record can be left out. */
import { isStaged, type Policy } from '../../../src/core/model/policy.ts'
import type { RecallQuery, Scope } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { createRandom, type Random } from './random.ts'
import { everyPolicy } from '../stores/every-policy.ts'
import { startOfTime } from '../stores/open-engine.ts'

const dayMs = 86_400_000
export const now = startOfTime + 10 * dayMs

export const words = ['jay', 'acorn', 'winter', 'nest', 'src/nest.ts', 'EggError', 'feather']
const projects = ['jay', 'wren', null]
const codes = [
  'excluded_by_policy',
  'stale_context',
  'user_pinned',
  'duplicate_context',
  'recent_failure_link',
] as const
export const fileStates = [
  { path: 'src/nest.ts', exists: true, mtime: now },
  { path: 'src/egg.ts', exists: false },
]
/** Few of them, so that the cosine ties, too. */
const vectors = Array.from({ length: 5 }, (_, i) => createRandom(i + 1).vector(8))

export function anyRecord(random: Random, i: number): RecordInput & { readonly id: string } {
  const text = Array.from({ length: 1 + random.below(4) }, () => random.pick(words)).join(' ')
  return {
    id: `${random.pick(['', 'z', '\ufb01', '\u{1f426}'])}r${i}`,
    // Half of them copies of each other, some except for a light word.
    body: random.pick([text, `${text} ${i}`, 'jay acorn nest', 'jay acorn the nest', 'jay acorn nest please']),
    project: random.pick(projects),
    source: random.pick(['mail', 'mail', 'web', null]),
    kind: random.pick(['note', 'vault']),
    tags: random.below(2) === 0 ? ['blue'] : ['red'],
    authorityTier: random.below(6) === 0 ? 'canon' : null,
    createdAt: now - random.below(40) * dayMs,
    updatedAt: now - random.below(4) * dayMs,
    status: random.pick(['active', 'active', 'active', 'active', 'superseded', 'deprecated']),
    expiresAt: random.below(10) === 0 ? now - 1 : null,
    importance: random.pick([1, 1, 3, 0.5]),
    files: random.below(3) === 0 ? [{ path: random.pick(['src/nest.ts', 'src/egg.ts', 'docs/jay.md']) }] : [],
    reasons: random.below(4) === 0 ? [{ code: random.pick(codes) }] : [],
    risks: random.below(8) === 0 ? [{ flag: 'mandatory_context_missing' as const }] : [],
    vectors: random.pick([[], random.vector(8), random.pick(vectors)]),
  }
}

export function anyQuery(random: Random, records: readonly { readonly id: string }[]): RecallQuery {
  const maybe = (part: RecallQuery, oneIn: number) => (random.below(oneIn) === 0 ? part : {})
  const text = { text: Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(' ') }
  const vector = { vector: random.pick([random.vector(8), random.pick(vectors)]) }
  return {
    ...random.pick([text, text, vector, { ...text, ...vector }, {}]),
    ...maybe(
      {
        scope: random.pick<Scope>([
          { project: 'jay' },
          { project: 'wren', tags: { all: ['blue'] } },
          { tags: { none: ['red'] }, kind: 'note' },
          { time: { after: now - 20 * dayMs } },
        ]),
      },
      3,
    ),
    ...maybe({ asOf: now - 10 * dayMs }, 12),
    ...maybe(
      {
        exclude: random
          .shuffled(records)
          .slice(0, 8)
          .map(({ id }) => id),
      },
      5,
    ),
    ...maybe({ files: random.pick([['src/nest.ts'], ['egg'], ['nowhere.ts']]) }, 5),
    ...maybe({ prefer: { project: 'jay' } }, 4),
    ...maybe({ minEvidence: random.pick(['weak', 'strong'] as const) }, 4),
    ...maybe({ collapse: random.pick(['near', 'exact', 'none'] as const) }, 3),
    ...maybe({ perSource: random.pick([1, 2, 3, 5]) }, 3),
    limit: random.pick([1, 2, 5, 10, 40]),
    policy: anyPolicy(random),
  }
}

function anyPolicy(random: Random): Policy {
  const [, policy] = random.pick(everyPolicy)
  const changed: Policy = {
    ...policy,
    ...(random.below(4) === 0 ? { riskGate: 'exclude' } : {}),
    ...(random.below(4) === 0
      ? { minScore: isStaged(policy) ? 100 + random.below(60) : random.next() * random.pick([0.02, 0.5]) }
      : {}),
  }
  // The shipped depths exceed the store: smaller ones must be tested, too.
  return isStaged(changed) && random.below(2) === 0
    ? { ...changed, fusion: { ...changed.fusion, candidates: 1 + random.below(20) } }
    : changed
}
