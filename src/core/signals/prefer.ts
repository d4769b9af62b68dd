/** The project, kind or topic of the record equals the preferred one, byte for byte. A boost, never a filter. */
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
