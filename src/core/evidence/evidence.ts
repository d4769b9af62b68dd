/**
 * Evidence: how strongly the store answers at all, from absolute measures of the best hit (which of the question's words
 * it holds, how far the nearest meaning stands out), never from ranks: the best of a thousand wrong answers is still
 * wrong. What chance alone would bring is taken off by the scope's own statistics.
 */
import type { Facts } from '../model/facts.ts'
import type { EvidenceLine, EvidenceThresholds } from '../model/policy.ts'
import type { TypedWord } from '../model/query-plan.ts'
import type { Evidence, EvidenceStrength } from '../model/result.ts'
import { log } from '../number/log.ts'
import type { Ranked } from '../order/order.ts'
import { typedShareIn } from './typed-share.ts'

/** `first` and `second`: what is selected best, whatever the limit. `typed`: the last word, where it may be the beginning of another. */
export function evidenceOf(
  facts: Facts,
  first: Ranked | undefined,
  second: Ranked | undefined,
  thresholds: EvidenceThresholds,
  typed: TypedWord | null = null,
): Evidence {
  if (first === undefined) return { strength: 'none', coverage: 0, topCosine: topCosineOf(facts), gap: 0 }
  const { strength, coverage } =
    typed === null
      ? judge(facts, thresholds, heldBy(facts, first.row))
      : judgeTyped(facts, first.row, thresholds, typed)
  return {
    strength: facts.channels.recent.ran ? 'weak' : strength,
    coverage,
    topCosine: topCosineOf(facts),
    gap: first.score - (second?.score ?? 0),
  }
}

/** Numbers to compare strengths by. */
export const strengthOrder: Readonly<Record<EvidenceStrength, number>> = { none: 0, weak: 1, strong: 2 }

/** What the best hit holds of the question's words. */
interface Held {
  /** By rarity, 0..1. */
  readonly coverage: number
  /** How many. */
  readonly matched: number
}

interface Judged {
  readonly strength: EvidenceStrength
  readonly coverage: number
}

function heldBy({ candidates }: Facts, row: number): Held {
  return { coverage: candidates.coverage[row]!, matched: candidates.matched[row]! }
}

/** What speaks for an answer whose best hit holds so much, in the units of the line that fits the channels that ran. */
function judge(facts: Facts, thresholds: EvidenceThresholds, { coverage, matched }: Held): Judged {
  const { lexical, scopeRecords } = facts
  const line = lineOf(facts, thresholds)
  const support =
    Math.sqrt(coverage) +
    line.words * log(1 + matched) +
    line.meaning * distinctness(facts) -
    line.length * log(Math.max(1, lexical?.meanLength ?? 0)) -
    line.records * log(Math.max(1, scopeRecords))
  if (support >= line.strong) return { strength: 'strong', coverage }
  return { strength: support >= line.weak ? 'weak' : 'none', coverage }
}

/**
 * With a word still being typed: as if it were complete, so that a complete one says the same with and without a space behind
 * it. What it may become adds less, by the share of letters that is there, and makes no answer strong; nor does a single letter.
 */
function judgeTyped(facts: Facts, row: number, thresholds: EvidenceThresholds, typed: TypedWord): Judged {
  const { candidates, lexical, records } = facts
  const coverage = candidates.complete?.coverage[row] ?? 0
  const matched = candidates.complete?.matched[row] ?? 0
  const complete = judge(facts, thresholds, { coverage, matched })
  if (complete.strength !== 'none') return typed.word.length > 1 ? complete : { ...complete, strength: 'weak' }
  const record = records.get(row)
  const share = record === undefined ? 0 : typedShareIn(record, typed.word)
  // A record that holds the word itself was judged by it.
  const added = share === 1 ? 0 : addedBy(share, typed)
  const held = { coverage: coverage + added * (lexical?.typedShare ?? 0), matched: matched + added }
  const begun = judge(facts, thresholds, held)
  return { ...begun, strength: begun.strength === 'none' ? 'none' : 'weak' }
}

/** Beside other words the beginning of one says little: they have been asked for already. Alone it is the question. */
function addedBy(share: number, { word, complete }: TypedWord): number {
  if (complete.length > 1) return share / 2
  return share > 0 && word.length >= fewestLetters ? 1 : share
}

/** Letters from which on the only word of a question says what it may become. */
const fewestLetters = 3

function lineOf({ lexical, vector }: Facts, thresholds: EvidenceThresholds): EvidenceLine {
  if (vector === null || vector.records === 0) return thresholds.wordsAlone
  return lexical === null ? thresholds.meaningAlone : thresholds.wordsAndMeaning
}

/**
 * The best cosine's share of the way from the query's background to identity, 0..1: comparable between embedding spaces
 * whose cosines crowd together and spaces where they spread. Records kept out of this query do not count.
 */
function distinctness({ vector }: Facts): number {
  if (vector === null) return 0
  const background = (vector.mean * vector.records) / (vector.records + backgroundPrior)
  // Also true where every record is the same: nothing stands out.
  if (!(vector.best > background)) return 0
  return Math.min(1, (vector.best - background) / (1 - background))
}

/** Records with cosine 0 that the background is mixed with, so that a tiny scope has one. */
const backgroundPrior = 3

/** The best cosine of any candidate: those that could hold it were read exactly. */
function topCosineOf({ candidates, vector }: Facts): number | null {
  if (vector === null) return null
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < candidates.length; row++) {
    if (candidates.cosineLow[row]! > best) best = candidates.cosineLow[row]!
  }
  return best === Number.NEGATIVE_INFINITY ? null : best
}
