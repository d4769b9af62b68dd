/**
 * Decides whether two texts say otherwise about the same subject: another value of one kind, or a denial of what the other asserts.
 * The answer is a proposal for an app or a person, never a judgement.
 */
import { chatTuning } from './chat-tuning.ts'
import { log } from '../number/log.ts'
import type { Statement } from './statements.ts'

export interface Contradiction {
  readonly kind: Exclude<Statement['kind'], 'assertion'>
  /** What they share, weighted: larger is surer. */
  readonly strength: number
  /** In words, with what each says. */
  readonly reason: string
}

/** 0..1: how much a stem tells of the subject; 1 for one that no record has. */
export type WeightOf = (stem: string) => number

/** The weight of a stem that `holding` of `records` records have. In a small store nearly every stem counts fully. */
export function subjectWeight(records: number, holding: number): number {
  const rarity = log(1 + (records + rarityPrior - holding + 0.5) / (holding + 0.5))
  return Math.min(1, rarity / log(1 + rarityPrior))
}

const rarityPrior = 200

/** The surest contradiction of `some` by `other`; null if they agree or speak of different subjects. Symmetric but for the reason. */
export function contradictionOf(
  some: readonly Statement[],
  other: readonly Statement[],
  weightOf: WeightOf,
): Contradiction | null {
  let best: Contradiction | null = null
  for (const a of some)
    for (const b of other) {
      const strength = strengthOf(a, b, weightOf)
      if (strength === null || (best !== null && strength <= best.strength)) continue
      const kind = a.kind === 'assertion' ? 'denial' : a.kind
      best = { kind, strength, reason: `says "${brief(a)}", where the other says "${brief(b)}"` }
    }
  return best
}

/** Null if the two do not contradict each other. */
function strengthOf(a: Statement, b: Statement, weightOf: WeightOf): number | null {
  const isDenied = (a.kind === 'denial' && b.kind === 'assertion') || (a.kind === 'assertion' && b.kind === 'denial')
  const isOtherValue = a.value !== '' && a.kind === b.kind && a.value !== b.value
  if (!isDenied && !isOtherValue) return null
  const common = [...a.about].filter((stem) => b.about.has(stem))
  if (common.length === 0) return null
  const shared = sumOf(common, weightOf)
  const { least, share } = chatTuning.contradiction[a.isPersonal && b.isPersonal ? 'personal' : 'other']
  if (isDenied) {
    const denied = sumOf(a.kind === 'denial' ? a.about : b.about, weightOf)
    return shared >= least.denial && shared >= share.denial * denied ? shared : null
  }
  const isCount = a.kind === 'count'
  if (isCount ? !a.unit.some((stem) => b.unit.includes(stem)) : common.length < 2) return null
  const needed = (a.isChange || b.isChange ? least.change : least.value) - (isCount ? chatTuning.contradiction.unit : 0)
  const smaller = Math.min(sumOf(a.about, weightOf), sumOf(b.about, weightOf))
  return shared >= needed && shared >= share.value * smaller ? shared : null
}

function sumOf(stems: Iterable<string>, weightOf: WeightOf): number {
  let sum = 0
  for (const stem of stems) sum += weightOf(stem)
  return sum
}

function brief({ written }: Statement): string {
  return written.length <= longestQuote ? written : `${written.slice(0, longestQuote).trimEnd()}…`
}

const longestQuote = 80
