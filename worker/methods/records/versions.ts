/** versions: the versions of one record, the present one first. Writes nothing [D2]. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { StoredVersion } from '../../../src/core/model/record.ts'
import { parseIds } from '../../../src/core/query/parse-query.ts'
import type { Ports } from '../common/ports.ts'

export function versions({ store, options }: Pick<Ports, 'store' | 'options'>, id: string): readonly StoredVersion[] {
  const { history } = store
  if (history === null)
    throw recallError(
      'INVALID_CONFIG',
      `must be true: the store ${JSON.stringify(options.name)} keeps no earlier versions`,
      {
        field: 'history',
        value: false,
        hint: 'Open the store with history: true.',
      },
    )
  const [parsed] = parseIds([id])
  return store.reading(() => history.versions(parsed!))
}
