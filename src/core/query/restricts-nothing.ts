/** Whether a scope contains every record that a store can hold: it has no condition, or only conditions that no record fails. */
import type { Scope } from '../model/query.ts'
import { recordStatuses } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'

/** `scope`: parsed. An empty list of names is a condition that no record meets, so it restricts; an empty list of tags to leave out does not. */
export function restrictsNothing({ tags, time, metadata, status, ...names }: Scope): boolean {
  const isNamed = Object.values(names).some((filter) => filter !== undefined)
  const { any, all = [], none = [] } = tags ?? {}
  const isTagged = any !== undefined || all.length > 0 || none.length > 0
  const hasMetadata = Object.keys(metadata ?? {}).length > 0
  const isOfEveryStatus =
    status === undefined || (typeof status !== 'string' && recordStatuses.every((each) => status.includes(each)))
  return !isNamed && !isTagged && !hasMetadata && isOfEveryStatus && isAnyTime(time)
}

/** Records need not have the time `occurredAt`, so a bound on it restricts. */
function isAnyTime({ of = 'createdAt', after, before }: NonNullable<Scope['time']> = {}): boolean {
  if (of === 'occurredAt') return after === undefined && before === undefined
  const last = tuning.maxTimestampMs
  return (after ?? -last) <= -last && (before ?? last) >= last
}
