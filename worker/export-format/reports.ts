/** Parses the reports of a record, with the limits that the engine itself keeps. Learned state of older versions becomes a summary. */
import { optionalNumber, parseList, parseObject, refuse } from '../../src/core/ingest/parse-fields.ts'
import { outcomes } from '../../src/core/learning/outcomes.ts'
import { earlierReports, earlierStamp } from '../../src/core/merge/earlier-learned.ts'
import { type PortableEffect, reportFrom } from '../../src/core/merge/portable-reports.ts'
import type { Report, ReportedEffect } from '../../src/core/merge/report.ts'
import type { DeviceReports, Reports } from '../../src/core/merge/reports.ts'
import { compareStamps, type Stamp } from '../../src/core/merge/stamp.ts'
import type { Summary } from '../../src/core/merge/summary.ts'
import type { Cycle } from '../../src/core/model/record.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { damaged } from '../../src/protocol/export-format/container.ts'
import type { ImportedVersion } from '../../src/core/ingest/plan-write.ts'
import { parseLearned } from './learned-state.ts'
import { fields, needed } from './needed.ts'
import { maxDevices, neededStamp, parseStamp } from './versions.ts'

/** More than a device lists, because one that was restored may have used its stamps twice. */
const maxListed = 1_024
const maxMarks = 100_000
const times = { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }

export function parseReports(input: unknown): Reports {
  const reports = parseList(input, 'reports', maxDevices, parseDevice)
  if (reports.some(({ device }, i) => i > 0 && compareCodePoints(reports[i - 1]!.device, device) >= 0))
    throw damaged('reports are not in order')
  return reports
}

/** Null if the block has no learned state of the older form. Amplitudes become starts of the cycles. */
export function parseEarlier(
  input: unknown,
  cycles: readonly Cycle[],
  version: Stamp,
): (Pick<ImportedVersion, 'cycleStarts'> & { readonly reports: Reports }) | null {
  if (input === undefined) return null
  const state = parseLearned(input, cycles.length)
  const stamp = earlierStamp(version)
  const starts = state.amplitudes.map((amplitude, i) =>
    amplitude === cycles[i]!.amplitude ? null : { amplitude, stamp },
  )
  return { reports: earlierReports(state, version), cycleStarts: starts.some((start) => start !== null) ? starts : [] }
}

export function parseCycleStarts(input: unknown, cycles: number): ImportedVersion['cycleStarts'] {
  if (input === undefined) return []
  const starts = parseList(input, 'cycleStarts', tuning.maxCycles, (entry, field) => {
    if (entry === null) return null
    const [amplitude, stamp] = parsePair(entry, field)
    return {
      amplitude: needed({ amplitude }, 'amplitude', { min: 0, max: tuning.maxAmplitude }, field),
      stamp: neededStamp(stamp, field),
    }
  })
  if (starts.length !== cycles) throw damaged('a record has another number of starts than cycles')
  return starts
}

function parseDevice(input: unknown, field: string): DeviceReports {
  const given = parseObject(input, field, fields('device', 'summary', 'listed'))
  const { device } = neededStamp([0, 0, given['device']], `${field}.device`)
  const summary = given['summary'] === undefined ? null : parseSummary(given['summary'], `${field}.summary`, device)
  const listed = parseList(given['listed'], `${field}.listed`, maxListed, (entry, at) => parseReport(entry, at, device))
  let last = summary?.through ?? null
  for (const { stamp } of listed) {
    if (last !== null && compareStamps(last, stamp) >= 0) throw damaged('reports are not in order')
    last = stamp
  }
  if (last === null) throw damaged('a device has no reports')
  return { device, summary, listed }
}

function parseReport(input: unknown, field: string, device: string): Report {
  if (!Array.isArray(input) || input.length !== 4) throw refuse(field, input, 'must be a report', 'Export again.')
  const [at, count, mark, effect] = input as readonly unknown[]
  const stamp = neededStamp([at, count, device], field)
  if (mark !== null && !isMark(mark)) throw refuse(field, mark, 'must have a mark', 'Export again.')
  return reportFrom(device, [stamp.at, stamp.count, mark, parseEffect(effect, field)])
}

function parseEffect(input: unknown, field: string): PortableEffect {
  if (!Array.isArray(input)) throw refuse(field, input, 'must have an effect', 'Export again.')
  const [kind, value, second, rule, ...more] = input as readonly unknown[]
  const isKnown =
    more.length === 0 &&
    typeof kind === 'string' &&
    (Object.hasOwn(outcomes, kind)
      ? isNumber(value, times, field) && typeof second === 'boolean' && isRule(rule) && input.length === 4
      : kind === 'signal'
        ? isNumber(value, { min: 0, max: 1 }, field) && isRule(second) && input.length === 3
        : kind === 'confidence'
          ? isNumber(value, { min: 0, max: 1 }, field) && input.length === 2
          : (kind === 'read' || kind === 'unread') && isNumber(value, times, field) && input.length === 2)
  if (!isKnown) throw refuse(field, kind, 'must have a known effect', 'Export again.')
  return input as unknown as PortableEffect
}

function parseSummary(input: unknown, field: string, device: string): Summary {
  const names = fields('state', 'touchedBy', 'resolvedBy', 'settledBy', 'through', 'marks')
  const given = parseObject(input, field, names)
  const through = parseStampObject(given['through'], `${field}.through`)
  if (through?.device !== device) throw damaged('a summary is of another device')
  const marks = parseList(given['marks'], `${field}.marks`, maxMarks, (entry, at) => {
    const { mark, at: time } = parseObject(entry, at, fields('mark', 'at'))
    if (!isMark(mark)) throw refuse(at, mark, 'must be a mark', 'Export again.')
    return { mark, at: needed({ time }, 'time', times, at) }
  })
  return {
    state: parseLearned(given['state'], 1, { isPart: true }),
    touchedBy: parseStampObject(given['touchedBy'], `${field}.touchedBy`),
    resolvedBy: parseStampObject(given['resolvedBy'], `${field}.resolvedBy`),
    settledBy: parseStampObject(given['settledBy'], `${field}.settledBy`),
    through,
    marks,
  }
}

function parseStampObject(input: unknown, field: string): Stamp | null {
  if (input === null) return null
  const { at, count, device } = parseObject(input, field, fields('at', 'count', 'device'))
  return parseStamp([at, count, device], field)
}

function parsePair(input: unknown, field: string): readonly [unknown, unknown] {
  if (!Array.isArray(input) || input.length !== 2) throw refuse(field, input, 'must be a pair', 'Export again.')
  return input as unknown as readonly [unknown, unknown]
}

function isNumber(value: unknown, bounds: Parameters<typeof optionalNumber>[2], field: string): boolean {
  return optionalNumber({ value }, 'value', bounds, field) !== null
}

function isRule(value: unknown): value is ReportedEffect & string {
  return value === 'bounded' || value === 'sqrt'
}

function isMark(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
}
