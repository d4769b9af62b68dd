/** Parses learned state as exports of older versions have it: the values themselves, with the limits that the engine keeps. */
import { parseList, parseObject, parseTimestamp } from '../../src/core/ingest/parse-fields.ts'
import type { LearnedState } from '../../src/core/learning/apply-outcome.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { damaged } from '../../src/protocol/export-format/container.ts'
import { fields, type Given, needed } from './needed.ts'

/** `amplitudes`: how many it must have, and whether counts below zero are allowed. */
export function parseLearned(
  input: unknown,
  amplitudesOf: number,
  { isPart = false }: { readonly isPart?: boolean } = {},
): LearnedState {
  const names = fields('confidence', 'touchedAt', 'resolvedAt', 'accessCount', 'accessedAt', 'amplitudes')
  const given = parseObject(input, 'learned', names)
  const confidence = parseObject(
    given['confidence'],
    'learned.confidence',
    fields('confidence', 'evidence', 'corroborations', 'contradictions'),
  )
  const accessedAt = parseList(given['accessedAt'], 'learned.accessedAt', tuning.maxAccesses, (at, field) =>
    needed({ at }, 'at', { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }, field),
  )
  if (accessedAt.some((at, i) => i > 0 && at < accessedAt[i - 1]!)) throw damaged('reads are not in order')
  const amplitudes = parseList(given['amplitudes'], 'learned.amplitudes', tuning.maxCycles, (amplitude, field) =>
    needed({ amplitude }, 'amplitude', { min: 0, max: tuning.maxAmplitude }, field),
  )
  if (amplitudes.length !== amplitudesOf) throw damaged('a record has another number of amplitudes than cycles')
  const counted = (from: Given, name: string, at: string) =>
    needed(from, name, { min: 0, max: tuning.maxCount, integer: true }, at)
  return {
    confidence: {
      confidence: needed(confidence, 'confidence', { min: 0, max: 1 }, 'learned.confidence'),
      evidence: counted(confidence, 'evidence', 'learned.confidence'),
      corroborations: counted(confidence, 'corroborations', 'learned.confidence'),
      contradictions: counted(confidence, 'contradictions', 'learned.confidence'),
    },
    touchedAt: parseTimestamp(given, 'touchedAt', 'learned'),
    resolvedAt: parseTimestamp(given, 'resolvedAt', 'learned'),
    // A summary may take back a read that another device counted.
    accessCount: needed(
      given,
      'accessCount',
      { min: isPart ? -tuning.maxCount : 0, max: tuning.maxCount, integer: true },
      'learned',
    ),
    accessedAt,
    amplitudes,
  }
}
