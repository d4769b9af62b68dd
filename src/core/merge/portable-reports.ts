/** Reports as exports and rows have them: short lists. */
import type { Outcome } from '../model/learned.ts'
import type { ConfidenceRule } from '../learning/update-confidence.ts'
import { outcomes } from '../learning/outcomes.ts'
import type { Report, ReportedEffect } from './report.ts'
import type { DeviceReports, Reports } from './reports.ts'
import type { Summary } from './summary.ts'

export type PortableEffect =
  | readonly [outcome: Outcome, atMs: number, hasOpenPrediction: boolean, rule: ConfidenceRule]
  | readonly [kind: 'signal', signal: number, rule: ConfidenceRule]
  | readonly [kind: 'read' | 'unread', atMs: number]
  | readonly [kind: 'confidence', confidence: number]

export type PortableReport = readonly [at: number, count: number, mark: string | null, effect: PortableEffect]

export interface PortableDeviceReports {
  readonly device: string
  /** Left out if all reports are listed. */
  readonly summary?: Summary
  readonly listed: readonly PortableReport[]
}

export function portableEffect(effect: ReportedEffect): PortableEffect {
  switch (effect.kind) {
    case 'outcome':
      return [effect.outcome, effect.atMs, effect.hasOpenPrediction, effect.rule]
    case 'signal':
      return [effect.kind, effect.signal, effect.rule]
    case 'confidence':
      return [effect.kind, effect.confidence]
    default:
      return [effect.kind, effect.atMs]
  }
}

/** Of a valid portable effect. */
export function effectFrom(portable: PortableEffect): ReportedEffect {
  const [kind, value, second, rule] = portable as readonly [string, number, unknown, unknown]
  if (Object.hasOwn(outcomes, kind))
    return {
      kind: 'outcome',
      outcome: kind as Outcome,
      atMs: value,
      hasOpenPrediction: second === true,
      rule: rule as ConfidenceRule,
    }
  if (kind === 'signal') return { kind, signal: value, rule: second as ConfidenceRule }
  if (kind === 'confidence') return { kind, confidence: value }
  return { kind: kind as 'read' | 'unread', atMs: value }
}

export function portableReports(reports: Reports): readonly PortableDeviceReports[] {
  return reports.map(({ device, summary, listed }) => ({
    device,
    ...(summary === null ? {} : { summary }),
    listed: listed.map(({ stamp, mark, effect }) => [stamp.at, stamp.count, mark, portableEffect(effect)] as const),
  }))
}

/** Of valid portable reports. */
export function reportsFrom(portable: readonly PortableDeviceReports[]): Reports {
  return portable.map(
    ({ device, summary = null, listed }): DeviceReports => ({
      device,
      summary,
      listed: listed.map((report) => reportFrom(device, report)),
    }),
  )
}

export function reportFrom(device: string, [at, count, mark, effect]: PortableReport): Report {
  return { stamp: { at, count, device }, mark, effect: effectFrom(effect) }
}
