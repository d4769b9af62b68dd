/** The filters and namespace conditions of LangGraph. */
import type { Item, MatchCondition } from '@langchain/langgraph-checkpoint'

/** True if each key of the filter has its value, or passes its operators. */
export function passesFilter(value: Item['value'], filter: Record<string, unknown> | undefined): boolean {
  return (
    filter === undefined ||
    Object.entries(filter).every(([key, wanted]) => passes(Object.hasOwn(value, key) ? value[key] : undefined, wanted))
  )
}

const operators: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
}

function passes(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  const entries = Object.entries(wanted)
  if (!entries.every(([name]) => Object.hasOwn(operators, name))) return value === wanted
  return entries.every(([name, operand]) => operators[name]!(value, operand))
}

/** True if the namespace begins or ends with the path, in which `*` is any label. */
export function isMatch({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  if (path.length > namespace.length) return false
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length
  return path.every((label, i) => label === '*' || label === namespace[from + i])
}
