/**
 * Computes the evidence: how well the store answers the query. Uses absolute measures of the best hit (which query words it
 * contains, how far the best cosine is above the background) and no ranks: the best of a thousand wrong answers is still
 * wrong. The scope's own statistics give what chance alone explains, which is subtracted.
 */
import type { Facts } from '../model/facts.ts'
import type { EvidenceLine, EvidenceThresholds } from '../model/policy.ts'
import type { TypedWord } from '../model/query-plan.ts'
import { proseOf } from '../model/record.ts'
import type { Evidence, EvidenceStrength } from '../model/result.ts'
import { log } from '../number/log.ts'
import type { Ranked } from '../order/order.ts'
import { wordsOf } from '../said/read-turn.ts'
import { tellsApart } from '../signals/time.ts'
import { type Measured, measuredOf, withoutAgreeing } from './agreeing.ts'
import { type Mix, probabilityOf } from './probability.ts'
import { typedShareIn } from './typed-share.ts'

/** What the evidence of an answer depends on besides the facts, whatever the limit. */
export interface Answer {
  readonly first: Ranked | undefined
  readonly second: Ranked | undefined
  /** Rows that may agree with the first; default: none. */
  readonly next?: readonly number[] | undefined
  /** The unfinished last word, if there is one. */
  readonly typed?: TypedWord | null | undefined
  /** The folded words of the times that the question names. */
  readonly timeWords?: readonly string[] | undefined
}

export function evidenceOf(facts: Facts, answer: Answer, thresholds: EvidenceThresholds): Evidence {
  const { first, second, timeWords = [] } = answer
  if (first === undefined)
    return { strength: 'none', probability: 0, coverage: 0, topCosine: topCosineOf(facts), gap: 0 }
  const { strength, coverage, position } = judgeBest(facts, answer, first.row, thresholds)
  const across = thresholds.acrossLanguages === undefined ? null : acrossOf(facts, first.row)
  const byMeaning = across === null ? null : judgeAcross(facts, first.row, thresholds.acrossLanguages!)
  const strongest = byMeaning === null ? strength : stronger(strength, byMeaning.strength)
  const probability = probabilityOf(channelsOf(facts), position)
  const isBounded =
    strongest === 'strong' && (onlyCorrected(facts, first.row) || isOfAnotherTime(facts, first.row, timeWords))
  const isHeld = strongest === 'none' && (isOfTime(facts, first.row) || holdsAllCorrected(facts, first.row))
  const isWeak = facts.channels.recent.ran || isBounded || isHeld
  const isNamed = facts.candidates.time?.named?.[first.row] === 1
  return {
    strength: isNamed ? 'strong' : isWeak ? 'weak' : strongest,
    probability: Math.max(probability, byMeaning === null ? 0 : probabilityOf('acrossLanguages', byMeaning.position)),
    coverage,
    topCosine: topCosineOf(facts),
    gap: first.score - (second?.score ?? 0),
    ...(across === null ? {} : { across }),
  }
}

function judgeBest(facts: Facts, { next = [], typed = null }: Answer, row: number, thresholds: EvidenceThresholds) {
  return typed === null
    ? judgeAmongCopies(facts, lineOf(facts, thresholds), row, next)
    : judgeTyped(facts, row, thresholds, typed)
}

/** The languages of question and best hit, if they differ: then hardly a word of the question can be in it. */
function acrossOf({ languages, vector }: Facts, row: number): NonNullable<Evidence['across']> | null {
  const hit = languages?.of.get(row) ?? []
  if (languages === undefined || hit.length === 0 || hit.some((one) => languages.asked.includes(one))) return null
  return vector === null || vector.records === 0 ? null : { question: languages.asked, hit }
}

/** By meaning more than by words. An unfinished last word counts as complete. */
function judgeAcross(facts: Facts, row: number, line: EvidenceLine): Judged {
  const { complete = facts.candidates } = facts.candidates
  return judge(facts, line, { coverage: complete.coverage[row]!, matched: complete.matched[row]! })
}

function stronger(some: EvidenceStrength, other: EvidenceStrength): EvidenceStrength {
  return strengthOrder[some] >= strengthOrder[other] ? some : other
}

/** Whether the record holds words of the query, all of them corrected. */
function onlyCorrected({ candidates: { matched, corrected } }: Facts, row: number): boolean {
  return corrected !== undefined && corrected[row]! > 0 && corrected[row]! >= matched[row]!
}

/** Whether the record holds every word of the query, at least one of them corrected. */
function holdsAllCorrected({ lexical, candidates: { matched, corrected } }: Facts, row: number): boolean {
  return (corrected?.[row] ?? 0) > 0 && matched[row]! >= (lexical?.terms?.weights.length ?? Number.POSITIVE_INFINITY)
}

function isOfTime({ channels, candidates }: Facts, row: number): boolean {
  return channels.times !== undefined && candidates.time!.share[row]! > 0
}

/** Whether the query names a time of which the record is not. A record whose text holds the words of the time names it, too. */
function isOfAnotherTime(facts: Facts, row: number, timeWords: readonly string[]): boolean {
  const { ofTimes, candidates, records } = facts
  if (ofTimes === undefined) return false
  const share = candidates.time?.share[row] ?? 0
  if (share > 0 || (ofTimes > 0 && !tellsApart(facts))) return false
  const record = records.get(row)
  const words = new Set(record === undefined ? [] : wordsOf(proseOf(record)))
  return !timeWords.every((word) => words.has(word))
}

/** Numbers that order the strengths. */
export const strengthOrder: Readonly<Record<EvidenceStrength, number>> = { none: 0, weak: 1, strong: 2 }

/** The query words that the best hit contains. */
interface Matches {
  /** Their share, weighted by rarity, 0..1. */
  readonly coverage: number
  /** Their number. */
  readonly matched: number
}

interface Judged {
  readonly strength: EvidenceStrength
  readonly coverage: number
  /** Of the support: 0 at the least for `weak`, 1 at the least for `strong`. */
  readonly position: number
}

/** The strongest evidence: as it is, and without records that agree with the best hit. */
function judgeAmongCopies(facts: Facts, line: EvidenceLine, row: number, next: readonly number[]): Judged {
  const own = measuredOf(facts, row)
  let best = judgeMeasured(facts, line, own)
  for (const measured of withoutAgreeing(facts, row, next)) {
    const { strength, position } = judgeMeasured(facts, line, measured)
    best = { ...best, strength: stronger(best.strength, strength), position: Math.max(best.position, position) }
  }
  return best
}

/** Computes the support of a best hit with these matches. */
function judge(facts: Facts, line: EvidenceLine, matches: Matches): Judged {
  return judgeMeasured(facts, line, { ...measuredOf(facts, 0), ...matches })
}

function judgeMeasured({ vector }: Facts, line: EvidenceLine, measured: Measured): Judged {
  const { coverage, matched, meanLength, records, background } = measured
  const support =
    Math.sqrt(coverage) +
    line.words * log(1 + matched) +
    line.meaning * distinctness(vector, background) -
    line.length * log(Math.max(1, meanLength)) -
    line.records * log(Math.max(1, records))
  const position = (support - line.weak) / (line.strong > line.weak ? line.strong - line.weak : 1)
  if (support >= line.strong) return { strength: 'strong', coverage, position }
  return { strength: support >= line.weak ? 'weak' : 'none', coverage, position }
}

/**
 * With an unfinished last word: judges as if the word were complete, so that a complete word gives the same evidence with and
 * without a space after it. A completion adds less, by the share of its letters that are typed, and gives at most `weak`. So
 * does a single letter. A record that holds every word, the last one as a beginning, is at least `weak`.
 */
function judgeTyped(facts: Facts, row: number, thresholds: EvidenceThresholds, typed: TypedWord): Judged {
  const { candidates, lexical, records } = facts
  const coverage = candidates.complete?.coverage[row] ?? 0
  const matched = candidates.complete?.matched[row] ?? 0
  const line = lineOf(facts, thresholds)
  const complete = judge(facts, line, { coverage, matched })
  if (complete.strength !== 'none') return typed.word.length > 1 ? complete : { ...complete, strength: 'weak' }
  const record = records.get(row)
  const share = record === undefined ? 0 : typedShareIn(record, typed.word, typed.fields)
  // If the record contains the word itself, it has been counted.
  const added = share === 1 ? 0 : addedBy(share, typed)
  const extended = { coverage: coverage + added * (lexical?.typedShare ?? 0), matched: matched + added }
  const unfinished = judge(facts, line, extended)
  const hasAll = typed.complete.length > 1 && candidates.matched[row]! >= typed.complete.length
  const isWeak = unfinished.strength !== 'none' || (hasAll && share > 0 && !onlyCorrected(facts, row))
  return { ...unfinished, strength: isWeak ? 'weak' : 'none' }
}

/** After other words the beginning of a word adds little, because they have been counted. As the only word it is the query. */
function addedBy(share: number, { word, complete }: TypedWord): number {
  if (complete.length > 1) return share / 2
  return share > 0 && word.length >= fewestLetters ? 1 : share
}

/** Letters from which on the beginning of a query's only word counts in full. */
const fewestLetters = 3

/** The line for the channels that ran. */
function lineOf(facts: Facts, thresholds: EvidenceThresholds): EvidenceLine {
  return thresholds[channelsOf(facts)]
}

/** The mix of channels that judged this evidence. */
export function mixOf(facts: Facts, { across }: Pick<Evidence, 'across'>): Mix {
  return across === undefined ? channelsOf(facts) : 'acrossLanguages'
}

function channelsOf({ lexical, vector }: Facts): Exclude<Mix, 'acrossLanguages'> {
  if (vector === null || vector.records === 0) return 'wordsAlone'
  return lexical === null ? 'meaningAlone' : 'wordsAndMeaning'
}

/**
 * How far the best cosine is from the query's background to 1, as a share, 0..1. This compares embedding spaces with a narrow
 * and with a wide range of cosines. Gated records do not count.
 */
function distinctness(vector: Facts['vector'], among: Measured['background']): number {
  if (vector === null || among === null) return 0
  const background = (among.mean * among.records) / (among.records + backgroundPrior)
  // True also if all records are equal: then nothing is distinct.
  if (!(vector.best > background)) return 0
  return Math.min(1, (vector.best - background) / (1 - background))
}

/** Records of cosine 0 that are added to the background, so that a very small scope has one. */
const backgroundPrior = 3

/** The best cosine of any candidate. Every row that could have it has an exact cosine. */
function topCosineOf({ candidates, vector }: Facts): number | null {
  if (vector === null) return null
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < candidates.length; row++) {
    if (candidates.cosineLow[row]! > best) best = candidates.cosineLow[row]!
  }
  return best === Number.NEGATIVE_INFINITY ? null : best
}
