/** The file of the store that a command works on. */
import { existsSync } from 'node:fs'
import { recallError } from '../../core/model/errors.ts'
import type { Given } from './arguments.ts'
import type { Io } from './io.ts'

/** Throws INVALID_ARGUMENT if none is given. `mustExist`: also if there is no file of this name. */
export function storeOf({ options }: Given, { environment }: Pick<Io, 'environment'>, mustExist: boolean): string {
  const path = options.store ?? environment['SCRUBJAY_STORE']
  if (path === undefined || path === '') {
    throw recallError('INVALID_ARGUMENT', 'must be given', {
      field: '--store',
      hint: 'Give --store memory.sqlite, or set the variable SCRUBJAY_STORE.',
    })
  }
  // Opening would create it, and a mistyped path would look like an empty store.
  if (!mustExist || existsSync(path)) return path
  throw recallError('INVALID_ARGUMENT', 'must be a file that exists', {
    field: '--store',
    value: path,
    hint: 'Check the path. The commands put, import, watch and mcp create a store.',
  })
}
