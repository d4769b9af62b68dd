/** Parses links, predictions and proposals of an export. Those of older versions have no stamps: these follow from their times. */
import { parsePrediction } from '../../src/core/evidence/parse-prediction.ts'
import {
  optionalNumber,
  parseList,
  parseObject,
  parseTimestamp,
  refuse,
  requiredString,
} from '../../src/core/ingest/parse-fields.ts'
import { withStamps } from '../../src/core/merge/earlier-learned.ts'
import type { PortableLink } from '../../src/core/merge/portable-links.ts'
import { type PortableStamp, portableStamp, unstamped } from '../../src/core/merge/portable-stamp.ts'
import type { Prediction } from '../../src/core/merge/predictions.ts'
import type { ScopedProposal } from '../../src/core/merge/proposals.ts'
import { compareStamps } from '../../src/core/merge/stamp.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { parseScope } from '../../src/core/query/parse-query.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { damaged } from '../../src/protocol/export-format/container.ts'
import { fields, needed } from './needed.ts'
import { maxDevices, neededStamp, parseStamp } from './versions.ts'

export interface PortablePrediction {
  readonly createdAt: number
  /** Canonical JSON. */
  readonly expected: string
  /** Canonical JSON; null: an outcome resolved it, or it is open. */
  readonly actual: string | null
  readonly error: number | null
  /** Null: it is open. */
  readonly resolvedAt: number | null
  readonly made?: PortableStamp
  /** Left out if it is open. */
  readonly resolvedBy?: PortableStamp
}

export interface PortableProposal {
  /** Canonical JSON of the scope in which it was proposed. */
  readonly scope: string
  readonly createdAt: number
  /** Left out if it expired. */
  readonly reason?: string
  /** Left out if it follows from `createdAt`. */
  readonly stamp?: PortableStamp
}

/** Counters above this cannot come from real use, even over years. */
const maxHistory = 1_000_000
const times = { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }

/** `own`: id of the record of the block. A link of an older version is a list of id and weight. */
export function parseLinks(input: unknown, own: string): readonly PortableLink[] {
  const links = parseList(input, 'links', maxHistory, (entry, field): PortableLink => {
    if (Array.isArray(entry) && entry.length === 2) {
      const [id, weight] = entry as readonly unknown[]
      const range = { min: tuning.minLinkWeight, max: 1 }
      return { id: requiredString(id, field, tuning.maxIdLength), weight: needed({ weight }, 'weight', range, field) }
    }
    const given = parseObject(entry, field, fields('id', 'weight', 'stamp', 'added'))
    const weight = optionalNumber(given, 'weight', { min: 0, max: 1 }, field)
    const stamp = parseStamp(given['stamp'], `${field}.stamp`)
    const added = parseList(given['added'], `${field}.added`, maxDevices, (one, at) => {
      if (!Array.isArray(one) || one.length !== 2) throw refuse(at, one, 'must be an addition', 'Export again.')
      const [sum, when] = one as readonly unknown[]
      return [needed({ sum }, 'sum', { min: 0, max: maxHistory }, at), portableStamp(neededStamp(when, at))] as const
    })
    if (added.some(([, [, , device]], i) => i > 0 && compareCodePoints(added[i - 1]![1][2], device) >= 0))
      throw damaged('additions to a link are not in order')
    if ((weight === null && stamp !== null) || (weight === null && added.length === 0))
      throw damaged('a link has an unknown form')
    return {
      id: requiredString(given['id'], `${field}.id`, tuning.maxIdLength),
      ...(weight === null ? {} : { weight }),
      ...(stamp === null ? {} : { stamp: portableStamp(stamp) }),
      ...(added.length === 0 ? {} : { added }),
    }
  })
  let last: string | null = null
  for (const { id } of links) {
    if (compareCodePoints(id, own) >= 0 || (last !== null && compareCodePoints(last, id) >= 0))
      throw damaged('links are not in order')
    last = id
  }
  return links
}

export function parsePredictions(input: unknown): readonly Prediction[] {
  const names = fields('createdAt', 'expected', 'actual', 'error', 'resolvedAt', 'made', 'resolvedBy')
  const parsed = parseList(input, 'predictions', maxHistory, (entry, field) => {
    const given = parseObject(entry, field, names)
    const resolvedAt = parseTimestamp(given, 'resolvedAt', field)
    // Values of opposite signs differ by at most 2 (docs/spec/learning.md#predictions).
    const error = optionalNumber(given, 'error', { min: 0, max: 2 }, field)
    const actual = given['actual'] == null ? null : spelledPrediction(given['actual'], `${field}.actual`)
    const made = parseStamp(given['made'], `${field}.made`)
    const resolvedBy = parseStamp(given['resolvedBy'], `${field}.resolvedBy`)
    if ((resolvedAt === null) !== (error === null) || (resolvedAt === null && actual !== null))
      throw damaged('a prediction is half resolved')
    if (made !== null && (resolvedBy === null) !== (resolvedAt === null)) throw damaged('a prediction is half resolved')
    const expected = spelledPrediction(given['expected'], `${field}.expected`)
    return {
      createdAt: needed(given, 'createdAt', times, field),
      expected,
      actual,
      error,
      resolvedAt,
      made,
      resolvedBy,
    }
  })
  const isEarlier = parsed.every(({ made }) => made === null)
  if (!isEarlier && parsed.some(({ made }) => made === null)) throw damaged('a prediction has no stamp')
  const plain = parsed.map(({ made: _made, resolvedBy: _by, ...prediction }) => prediction)
  const predictions = isEarlier ? withStamps(plain) : (parsed as readonly Prediction[])
  if (isEarlier && plain.some(({ createdAt }, i) => i > 0 && createdAt <= plain[i - 1]!.createdAt))
    throw damaged('predictions are not in order')
  if (predictions.some(({ made }, i) => i > 0 && compareStamps(predictions[i - 1]!.made, made) >= 0))
    throw damaged('predictions are not in order')
  if (predictions.filter(({ resolvedAt }) => resolvedAt === null).length > 1)
    throw damaged('a record has two open predictions')
  return predictions
}

export function portablePrediction({ made, resolvedBy, ...rest }: Prediction): PortablePrediction {
  return {
    ...rest,
    made: portableStamp(made),
    ...(resolvedBy === null ? {} : { resolvedBy: portableStamp(resolvedBy) }),
  }
}

export function parseProposals(input: unknown): readonly ScopedProposal[] {
  const proposals = parseList(input, 'proposals', maxHistory, (entry, field) => {
    const given = parseObject(entry, field, fields('scope', 'createdAt', 'reason', 'stamp'))
    const createdAt = needed(given, 'createdAt', times, field)
    const { reason } = given
    return {
      scope: canonicalJson(parseScope(parseSpelled(given['scope'], `${field}.scope`), `${field}.scope`)),
      createdAt,
      reason: reason === undefined ? null : requiredString(reason, `${field}.reason`, tuning.maxTagLength),
      stamp: parseStamp(given['stamp'], `${field}.stamp`) ?? unstamped(createdAt),
    }
  })
  if (proposals.some(({ scope }, i) => i > 0 && compareCodePoints(proposals[i - 1]?.scope ?? '', scope) >= 0))
    throw damaged('proposals are not in order')
  return proposals
}

export function portableProposal({ scope, createdAt, reason, stamp }: ScopedProposal): PortableProposal {
  const follows = compareStamps(stamp, unstamped(createdAt)) === 0
  return {
    scope,
    createdAt,
    ...(reason === null ? {} : { reason }),
    ...(follows ? {} : { stamp: portableStamp(stamp) }),
  }
}

function spelledPrediction(text: unknown, field: string): string {
  return canonicalJson(parsePrediction(parseSpelled(text, field), field))
}

function parseSpelled(text: unknown, field: string): unknown {
  try {
    return JSON.parse(text as string)
  } catch {
    throw refuse(field, text, 'must be JSON', 'Export again.')
  }
}
