/** Finds a policy: a shipped one by name, or a literal, which is validated. */
import { recallError } from '../model/errors.ts'
import { meantBy } from '../model/nearest.ts'
import type { Policy } from '../model/policy.ts'
import { checkPolicy } from './check-policy.ts'
import { policies } from './policies.ts'

/** Throws `INVALID_POLICY` with the field of an unknown name. */
export function findPolicy(asked: unknown, field: string): Policy {
  if (typeof asked !== 'string') return checkPolicy(asked)
  if (Object.hasOwn(policies, asked)) return policies[asked as keyof typeof policies]
  const names = Object.keys(policies)
  throw recallError('INVALID_POLICY', 'must be a known policy', {
    field,
    value: asked,
    hint: [meantBy(asked, names, 'policy'), `Use one of ${names.join(', ')}, or give a policy literal.`]
      .filter(Boolean)
      .join(' '),
  })
}
