/** Reads the passphrase of a locked store, from a file or the environment: arguments are seen by every process of the computer. */
import { readFileSync } from 'node:fs'
import { recallError } from '../../core/model/errors.ts'
import type { Given } from './arguments.ts'
import type { Io } from './io.ts'

/** Undefined: none is given. A line break at the end of the file is left out. */
export function lockOf(
  { options }: Given,
  { environment }: Pick<Io, 'environment'>,
): { readonly passphrase: string } | undefined {
  const file = options['passphrase-file']
  const passphrase = file === undefined ? environment['SCRUBJAY_PASSPHRASE'] : read(file).replace(/\r?\n$/, '')
  if (passphrase !== undefined && passphrase.trim() !== '') return { passphrase }
  if (file === undefined) return undefined
  throw recallError('INVALID_ARGUMENT', 'must name a file that holds a passphrase', {
    field: '--passphrase-file',
    value: file,
    hint: 'Write the passphrase into the file.',
  })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw recallError('INVALID_ARGUMENT', `must name a file that can be read (${String(error)})`, {
      field: '--passphrase-file',
      value: file,
      hint: 'Check the path.',
    })
  }
}
