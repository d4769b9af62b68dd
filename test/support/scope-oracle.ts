/** A second implementation of scopes, without SQL: the oracle of every filter. */
import type { MetadataCondition, Scope } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'

/** Whether a record, as given to `put` with its own createdAt, is in a scope. */
export function isInScope(record: RecordInput, scope: Scope): boolean {
  const { tags = [], createdAt = 0, metadata = {} } = record
  const { of = 'createdAt', after = -Infinity, before = Infinity } = scope.time ?? {}
  const isBounded = scope.time?.after !== undefined || scope.time?.before !== undefined
  const time = { createdAt, updatedAt: record.updatedAt, occurredAt: record.occurredAt }[of] ?? NaN
  const is = (wanted: string | readonly string[] | undefined, value: string | null | undefined) =>
    wanted === undefined || (typeof wanted === 'string' ? [wanted] : wanted).includes(value ?? (null as never))
  return (
    is(scope.project, record.project) &&
    is(scope.kind, record.kind ?? 'note') &&
    is(scope.topic, record.topic) &&
    is(scope.agent, record.agent) &&
    is(scope.bank, record.bank) &&
    is(scope.session, record.session) &&
    is(scope.status, record.status ?? 'active') &&
    (scope.tags?.any === undefined || scope.tags.any.some((tag) => tags.includes(tag))) &&
    (scope.tags?.all ?? []).every((tag) => tags.includes(tag)) &&
    !(scope.tags?.none ?? []).some((tag) => tags.includes(tag)) &&
    (!isBounded || (time >= after && time < before)) &&
    (scope.ids === undefined || scope.ids.includes(record.id ?? '')) &&
    Object.entries(scope.metadata ?? {}).every(
      ([name, condition]) => Object.hasOwn(metadata, name) && meets(metadata[name], condition),
    )
  )
}

function meets(value: unknown, condition: MetadataCondition): boolean {
  if (typeof condition !== 'object') return value === condition
  if (Array.isArray(condition)) return condition.includes(value)
  const { from, before } = condition as { readonly from?: string | number; readonly before?: string | number }
  if (typeof value !== typeof (from ?? before)) return false
  if (typeof value === 'number')
    return value >= ((from as number) ?? -Infinity) && value < ((before as number) ?? Infinity)
  const bytes = (text: unknown) => Buffer.from(text as string)
  return (
    Buffer.compare(bytes(value), bytes(from ?? '')) >= 0 &&
    (before === undefined || Buffer.compare(bytes(value), bytes(before)) < 0)
  )
}
