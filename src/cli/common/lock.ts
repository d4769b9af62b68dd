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
  if (file !== undefined) return { passphrase: passphraseIn(file, '--passphrase-file') }
  const passphrase = environment['SCRUBJAY_PASSPHRASE']
  return passphrase === undefined || passphrase.trim() === '' ? undefined : { passphrase }
}

/** Throws INVALID_ARGUMENT, which names the option, if the file has none. */
export function passphraseIn(file: string, option: string): string {
  const passphrase = read(file, option).replace(/\r?\n$/, '')
  if (passphrase.trim() !== '') return passphrase
  throw recallError('INVALID_ARGUMENT', 'must name a file that holds a passphrase', {
    field: option,
    value: file,
    hint: 'Write the passphrase into the file.',
  })
}

function read(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw recallError('INVALID_ARGUMENT', `must name a file that can be read (${String(error)})`, {
      field: option,
      value: file,
      hint: 'Check the path.',
    })
  }
}
