/** Pairs of records that seem to contradict each other, as an export has them: in the block of the record with the larger id. */
import { optionalNumber, parseList, parseObject, refuse, requiredString } from '../../src/core/ingest/parse-fields.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { damaged } from '../../src/protocol/export-format/container.ts'

export interface PortableContradiction {
  /** The other record, whose id is smaller. */
  readonly id: string
  /** Whether the record of the block is the later one of both. */
  readonly isLater: boolean
  /** Time (ms) of the proposal. */
  readonly createdAt: number
  /** Absent: the pair is settled. */
  readonly reason?: string
  /** Present if it was settled because both are right. */
  readonly bothRight?: true
}

/** Throws a RecallError if the pairs are invalid, or not in order. `own`: id of the record of the block. */
export function parseContradictions(input: unknown, own: string): readonly PortableContradiction[] {
  const pairs = parseList(input, 'contradictions', maxPairs, (entry, field): PortableContradiction => {
    const given = parseObject(entry, field, names)
    const { isLater, reason, bothRight } = given
    const createdAt = optionalNumber(given, 'createdAt', times, field)
    if (typeof isLater !== 'boolean' || createdAt === null)
      throw refuse(field, entry, 'must be a contradiction', 'Export again.')
    return {
      id: requiredString(given['id'], `${field}.id`, tuning.maxIdLength),
      isLater,
      createdAt,
      ...(reason === undefined ? {} : { reason: requiredString(reason, `${field}.reason`, tuning.maxTextBytes) }),
      ...(bothRight === true && reason === undefined ? { bothRight } : {}),
    }
  })
  for (const [i, { id, isLater }] of pairs.entries()) {
    const last = pairs[i - 1]
    const order = last === undefined ? 1 : compareCodePoints(id, last.id) || Number(isLater) - Number(last.isLater)
    if (order <= 0 || compareCodePoints(id, own) >= 0) throw damaged('contradictions are not in order')
  }
  return pairs
}

const names: ReadonlySet<string> = new Set(['id', 'isLater', 'createdAt', 'reason', 'bothRight'])
const times = { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }
const maxPairs = 1_000_000
