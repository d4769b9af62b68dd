/** Parses scopes and checks that their metadata keys are declared. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { Scope } from '../../../src/core/model/query.ts'
import { parseScope } from '../../../src/core/query/parse-query.ts'
import type { Store } from '../../store/port/store.ts'

export function scopeOf(store: Store, input: unknown): Scope {
  const scope = parseScope(input)
  checkDeclared(scope, store)
  return scope
}

/** Throws `INVALID_ARGUMENT` if the scope filters on a metadata key that the store does not declare. */
export function checkDeclared(scope: Scope | undefined, store: Store): void {
  for (const name of Object.keys(scope?.metadata ?? {})) checkDeclaredKey(name, `scope.metadata.${name}`, store)
}

export function checkDeclaredKey(name: string, field: string, { settings }: Store): void {
  if (!settings.metadataKeys.includes(name)) {
    throw recallError('INVALID_ARGUMENT', 'must be a declared metadata key', {
      field,
      hint: `Open the store with metadataKeys that include this key. Stored records then have it too. Declared keys: ${settings.metadataKeys.join(', ') || 'none'}.`,
    })
  }
}
