/** Parses what an export says of versions: the life and the stamp of a record, and tombstones. Format 1 has none of them. */
import { optionalNumber, parseList, parseObject, refuse } from '../../src/core/ingest/parse-fields.ts'
import { type FieldStamps, fieldStampsFrom } from '../../src/core/merge/field-stamps.ts'
import type { Tombstone } from '../../src/core/merge/lives.ts'
import { type PortableStamp, portableStamp } from '../../src/core/merge/portable-stamp.ts'
import { compareStamps, type Stamp } from '../../src/core/merge/stamp.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { damaged } from '../../src/protocol/export-format/container.ts'

export interface PortableTombstone {
  readonly mark: string
  readonly life: number
  readonly stamp: PortableStamp
}

export interface MarkedTombstone extends Tombstone {
  readonly mark: string
}

const maxDeviceLength = 64

export function parseLife(given: Readonly<Record<string, unknown>>, at: string): number {
  return optionalNumber(given, 'life', { min: 0, max: tuning.maxCount, integer: true }, at) ?? 0
}

/** Null if there is none: the stamp follows from a time. */
export function parseStamp(input: unknown, field: string): Stamp | null {
  if (input === undefined) return null
  if (!Array.isArray(input) || input.length !== 3) throw refuse(field, input, 'must be a stamp', 'Export again.')
  const [at, count, device] = input as readonly unknown[]
  const time = { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs, integer: true }
  const counted = { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true }
  const stamp = {
    at: optionalNumber({ at }, 'at', time, field),
    count: optionalNumber({ count }, 'count', counted, field),
  }
  if (stamp.at === null || stamp.count === null || typeof device !== 'string' || device.length > maxDeviceLength)
    throw damaged('a stamp has an unknown form')
  return { at: stamp.at, count: stamp.count, device }
}

/** Throws if there is none. */
export function neededStamp(input: unknown, field: string): Stamp {
  const stamp = parseStamp(input, field)
  if (stamp === null) throw refuse(field, input, 'must be a stamp', 'Export again.')
  return stamp
}

/** One stamp a device, in the order of devices. */
export function parseAfter(input: unknown): readonly Stamp[] {
  const stamps = parseList(input, 'block.after', maxDevices, neededStamp)
  if (stamps.some(({ device }, i) => i > 0 && compareCodePoints(stamps[i - 1]!.device, device) >= 0))
    throw damaged('the stamps of a version are not in order')
  return stamps
}

/** Null if all fields have the stamp of the version. */
export function parseFieldStamps(input: unknown, version: Stamp | null): FieldStamps | null {
  if (input === undefined) return null
  const seen = new Set<string>()
  let last: Stamp | null = null
  const entries = parseList(input, 'block.fields', maxNames, (entry, field) => {
    if (!Array.isArray(entry)) throw refuse(field, entry, 'must be a stamp with names', 'Export again.')
    const [at, count, device, ...names] = entry as readonly unknown[]
    const stamp = neededStamp([at, count, device], field)
    const isFirst = last === null
    if (isFirst ? names.length > 0 : names.length === 0 || compareStamps(last!, stamp) >= 0)
      throw damaged('the stamps of fields are not in order')
    last = stamp
    for (const name of names) {
      if (typeof name !== 'string' || name.length > maxNameLength || seen.has(name) || seen.size === maxNames)
        throw damaged('the stamps of fields have an unknown form')
      seen.add(name)
    }
    return [...portableStamp(stamp), ...(names as readonly string[])] as const
  })
  if (
    last === null ||
    version === null ||
    compareStamps(last, version) > 0 ||
    (entries.length === 1 && compareStamps(last, version) === 0)
  )
    throw damaged('the stamps of fields do not fit the version')
  return fieldStampsFrom(entries, version)
}

const maxNames = 100_000
const maxNameLength = 64

/** Most devices that one record may name. */
export const maxDevices = 10_000

export function parseTombstone(input: unknown): MarkedTombstone {
  const given = parseObject(input, 'tombstone', new Set(['mark', 'life', 'stamp']))
  const { mark } = given
  const stamp = parseStamp(given['stamp'], 'tombstone.stamp')
  if (typeof mark !== 'string' || !/^[0-9a-f]{32}$/.test(mark) || stamp === null)
    throw damaged('a tombstone has an unknown form')
  return { mark, life: parseLife(given, 'tombstone'), stamp }
}
