/** A second implementation of scopes, without SQL: the oracle of every filter. */
import type { Scope } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'

/** Whether a record, as given to `put` with its own createdAt, is in a scope. */
export function isInScope(record: RecordInput, scope: Scope): boolean {
  const { tags = [], createdAt = 0, metadata = {} } = record
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
    createdAt >= (scope.time?.after ?? -Infinity) &&
    createdAt < (scope.time?.before ?? Infinity) &&
    (scope.ids === undefined || scope.ids.includes(record.id ?? '')) &&
    Object.entries(scope.metadata ?? {}).every(
      ([name, value]) => Object.hasOwn(metadata, name) && metadata[name] === value,
    )
  )
}
