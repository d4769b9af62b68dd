/** The record's project, kind or topic is the one the query prefers, byte for byte: a boost, never a filter. */
import type { Signal } from './signal.ts'

export const preferProject = preferenceOf('project')
export const preferKind = preferenceOf('kind')
export const preferTopic = preferenceOf('topic')

function preferenceOf(field: 'project' | 'kind' | 'topic'): Signal {
  return {
    name: `prefer.${field}`,
    value: ({ candidates }, row) => candidates.prefer?.[field][row] ?? 0,
    weight: ({ candidates, policy }) => (candidates.prefer === null ? 0 : policy.prefer[field]),
    reason: () => `is of the preferred ${field}`,
  }
}
