/** The parts of `balanced` that `leave-one-out.ts` tunes, each with a textbook value and some others. */
import type { ConvexFusion, ConvexPolicy, LexicalTuning, MeaningTuning } from '../../src/core/model/policy.ts'
import { policies } from '../../src/core/policies/policies.ts'

type Step = (policy: ConvexPolicy) => ConvexPolicy

/** A part of the policy with the values that are tried. */
export interface Part {
  readonly name: string
  /** The first one is the textbook's. */
  readonly values: readonly { readonly label: string; readonly apply: Step }[]
}

const { fusion: shippedFusion } = policies.balanced
const shares = { before: shippedFusion.neighbours!.before, after: shippedFusion.neighbours!.after }

export const parts: readonly Part[] = [
  part('weight of vectors', [0.5, 0.8, 1.1, 1.5], (weight) => meaning({ weight })),
  part('weight follows the peaks', ['no', '1.6', '2.4', '3.6'], (peak) =>
    meaning(peak === 'no' ? { clamp: [1, 1] } : { clamp: [0.5, 2], peak: Number(peak) }),
  ),
  part('background prior', [0, 3, 20], (backgroundPrior) => meaning({ backgroundPrior })),
  part('pairs', [0, 0.15, 0.3], (pairs) => fused({ pairs })),
  part('neighbours', ['none', 'shipped', 'symmetric', 'half'], (name) => fused({ neighbours: neighboursOf(name) })),
  part('half length', ['none', '75', '150', '300'], (tokens) => (policy) => ({
    ...policy,
    fusion: {
      ...policy.fusion,
      neighbours: {
        before: policy.fusion.neighbours!.before,
        after: policy.fusion.neighbours!.after,
        ...(tokens === 'none' ? {} : { halfLength: Number(tokens) }),
      },
    },
  })),
  part('k1', [1.2, 1.6, 2], (k1) => lexical({ k1 })),
  part('b', [0.75, 0.4, 0.9], (b) => lexical({ b })),
  part('length prior', [0, 20, 40], (lengthPrior) => lexical({ lengthPrior })),
  part('title boost', [0, 2, 4], (titleBoost) => lexical({ titleBoost })),
  part('common words', [1, 0.5, 0], (commonWordWeight) => lexical({ commonWordWeight })),
  part('question words', [1, 0.5, 0], (questionWordWeight) => lexical({ questionWordWeight })),
]

/** Every part at its textbook value. */
export const textbook: ConvexPolicy = parts.reduce<ConvexPolicy>(
  (policy, { values }) => values[0]!.apply(policy),
  policies.balanced,
)

function part<T extends string | number>(name: string, values: readonly T[], stepOf: (value: T) => Step): Part {
  return { name, values: values.map((value) => ({ label: String(value), apply: stepOf(value) })) }
}

function neighboursOf(name: string): NonNullable<ConvexFusion['neighbours']> {
  if (name === 'shipped') return shares
  if (name === 'symmetric') return { before: [0.3, 0.2, 0.1], after: [0.3, 0.2, 0.1] }
  if (name === 'half') return { before: [0.15, 0.15, 0.05, 0.05], after: [0.1, 0.1, 0.05] }
  return { before: [], after: [] }
}

function lexical(changed: Partial<LexicalTuning>): Step {
  return (policy) => ({ ...policy, lexical: { ...policy.lexical, ...changed } })
}

function fused(changed: Partial<ConvexFusion>): Step {
  return (policy) => ({ ...policy, fusion: { ...policy.fusion, ...changed } })
}

function meaning(changed: Partial<MeaningTuning>): Step {
  return (policy) => ({ ...policy, fusion: { ...policy.fusion, meaning: { ...policy.fusion.meaning, ...changed } } })
}
