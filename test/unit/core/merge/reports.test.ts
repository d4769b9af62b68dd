/** Checks reports of outcomes: folded, limited, and merged the same either way. */
import { describe, expect, test } from 'vitest'
import { startingConfidence, updateConfidence } from '../../../../src/core/learning/update-confidence.ts'
import { combineConfidence } from '../../../../src/core/merge/apply-report.ts'
import { foldReports, settledBy } from '../../../../src/core/merge/fold-reports.ts'
import { mergeTuning } from '../../../../src/core/merge/merge-tuning.ts'
import type { Report, ReportedEffect } from '../../../../src/core/merge/report.ts'
import { addReport, mergeReports, type Reports } from '../../../../src/core/merge/reports.ts'
import type { Outcome } from '../../../../src/core/model/learned.ts'
import { tuning } from '../../../../src/core/model/tuning.ts'
import { createRandom } from '../../../support/data/random.ts'
import { outcomes } from '../../../support/merge-lives.ts'
import { taught, untaught } from '../../../support/oracles/plain-learning.ts'
import { now, stamp } from './stamps.ts'

describe('reports', () => {
  const outcome = (name: Outcome, atMs: number): ReportedEffect => ({
    kind: 'outcome',
    outcome: name,
    atMs,
    hasOpenPrediction: false,
    rule: 'bounded',
  })
  const reportsOf = (device: string, names: readonly Outcome[], from = 0, most?: number, mark: string | null = null) =>
    names.reduce<Reports>(
      (all, name, i) =>
        addReport(all, { stamp: stamp(now + from + i, device), mark, effect: outcome(name, now + from + i) }, most),
      [],
    )
  const context = { amplitudes: [2], changed: stamp(0) }

  test('fold to what the formulas give, in the order of their stamps', () => {
    const random = createRandom(1)
    const names = Array.from({ length: 60 }, () => random.pick(outcomes))
    const expected = names.reduce((state, name, i) => taught(state, name, now + i), untaught([2]))
    expect(foldReports(reportsOf('a', names), context)).toEqual(expected)
    const halves = ['a', 'b'].map((device, half) =>
      names.reduce<Reports>(
        (all, name, i) => (i % 2 === half ? mergeReports(all, reportsOf(device, [name], i)) : all),
        [],
      ),
    )
    expect(foldReports(mergeReports(halves[0]!, halves[1]!), context)).toEqual(expected)
  })

  test('are listed up to a limit; the summary of older ones counts the same', () => {
    const random = createRandom(2)
    const names = Array.from({ length: 300 }, () => random.pick(outcomes))
    const short = reportsOf('a', names)
    expect(short[0]?.listed).toHaveLength(mergeTuning.maxReports)
    const whole = foldReports(reportsOf('a', names, 0, 1000), context)
    const folded = foldReports(short, { ...context, amplitudes: [] })
    // Amplitudes are a product: of a summary it is one factor, so they differ where single steps meet a bound.
    expect({ ...folded, amplitudes: [] }).toEqual({ ...whole, amplitudes: [] })
  })

  test('of two devices beyond the limit are all counted, and the confidence is that of all signals', () => {
    const mine = reportsOf(
      'a',
      Array.from({ length: 100 }, () => 'acted' as const),
    )
    const theirs = reportsOf(
      'b',
      Array.from({ length: 90 }, () => 'contradicted' as const),
      1000,
    )
    const { confidence, accessCount, accessedAt } = foldReports(mergeReports(mine, theirs), context)
    expect(confidence).toMatchObject({ evidence: 190, corroborations: 100, contradictions: 90 })
    expect([accessCount, accessedAt.length]).toEqual([100, 100])
    // The last signals were against the record.
    expect(confidence.confidence).toBeLessThan(0.2)
  })

  test('reads of two devices beyond the limit are all counted, and their times ascend', () => {
    const reads = (device: string, from: number, most: number) =>
      Array.from({ length: 100 }).reduce<Reports>(
        (all, _, i) =>
          addReport(
            all,
            {
              stamp: stamp(now + from + 2 * i, device),
              mark: null,
              effect: { kind: 'read', atMs: now + from + 2 * i },
            },
            most,
          ),
        [],
      )
    for (const most of [64, 0]) {
      const merged = foldReports(mergeReports(reads('a', 1, most), reads('b', 0, most)), context)
      expect(merged.accessCount).toBe(200)
      expect(merged.accessedAt).toEqual(
        Array.from({ length: tuning.maxAccesses }, (_, i) => now + 200 - tuning.maxAccesses + i),
      )
    }
  })

  test('below the bound a combined confidence is the running mean of all signals', () => {
    const signals = [0.9, 0.1, 0.9, 0.3, 0.9, 0.2]
    const meanOf = (some: readonly number[]) =>
      some.reduce((state, signal) => updateConfidence(state, signal), startingConfidence)
    const combined = combineConfidence(meanOf(signals.slice(0, 4)), meanOf(signals.slice(4)))
    const { confidence, ...counts } = meanOf(signals)
    expect(combined.confidence).toBeCloseTo(confidence, 12)
    expect(combined).toMatchObject(counts)
    expect(combineConfidence(startingConfidence, meanOf(signals))).toEqual(meanOf(signals))
  })

  test('of the same outcome of the same receipt count once, also after one device has summarised its own', () => {
    const same = (device: string, at: number): Reports => reportsOf(device, ['acted'], at, undefined, 'receipt')
    const both = mergeReports(same('a', 0), same('b', 5))
    expect(foldReports(both, context)).toMatchObject({ accessCount: 1, touchedAt: now })
    // Known already: nothing is added.
    expect(addReport(both, { stamp: stamp(now + 9, 'c'), mark: 'receipt', effect: outcome('acted', now) })).toBe(both)
    for (const device of ['a', 'b']) {
      const further = [1, 2, 3].reduce<Reports>(
        (all, i) => addReport(all, { stamp: stamp(now + 10 + i, device), mark: null, effect: outcome('used', now) }, 1),
        both,
      )
      // It counts at the device that reported it first.
      const marks = device === 'a' ? [{ mark: 'receipt', at: now }] : []
      expect(further.find((entry) => entry.device === device)?.summary?.marks).toEqual(marks)
      for (const merged of [mergeReports(further, both), mergeReports(both, further)])
        expect(foldReports(merged, context)).toMatchObject({ accessCount: 4, confidence: { evidence: 1 } })
    }
  })

  test('set the decay clock only if they follow the version, and end proposals', () => {
    const reports = reportsOf('a', ['acted', 'dismissed'])
    expect(foldReports(reports, { ...context, changed: stamp(now - 1, 'b') }).touchedAt).toBe(now)
    expect(foldReports(reports, { ...context, changed: stamp(now + 1, 'b') })).toMatchObject({
      touchedAt: null,
      resolvedAt: now,
    })
    expect(settledBy(reports)).toEqual(stamp(now + 1))
    expect(settledBy([])).toBeNull()
  })

  test('of reads, signals and given confidence have their effects; a read that another device counted can be taken back', () => {
    const report = (device: string, at: number, effect: ReportedEffect): Report => ({
      stamp: stamp(at, device),
      mark: null,
      effect,
    })
    const counted = addReport([], report('a', 1, { kind: 'read', atMs: 1 }))
    const back = [2, 3, 4].reduce<Reports>(
      (all, at) =>
        addReport(all, report('b', at, at === 2 ? { kind: 'unread', atMs: 1 } : { kind: 'read', atMs: at }), 1),
      [],
    )
    expect(back[0]?.summary?.state.accessCount).toBe(0)
    expect(foldReports(mergeReports(counted, back), context).accessCount).toBe(2)
    const given = addReport([], report('a', 1, { kind: 'confidence', confidence: 0.75 }))
    expect(foldReports(given, context).confidence).toMatchObject({ confidence: 0.75, evidence: 0 })
    const lowered = addReport(given, report('a', 2, { kind: 'signal', signal: 0.25, rule: 'bounded' }))
    expect(foldReports(lowered, context).confidence).toMatchObject({ confidence: 0.5, evidence: 1, contradictions: 1 })
  })

  test('merge the same either way when a restored device has used its stamps twice', () => {
    const [one, other] = [reportsOf('a', ['acted', 'used']), reportsOf('a', ['dismissed', 'acted', 'used'])]
    const merged = mergeReports(one, other)
    expect(mergeReports(other, one)).toEqual(merged)
    expect(mergeReports(merged, one)).toEqual(merged)
  })
})
