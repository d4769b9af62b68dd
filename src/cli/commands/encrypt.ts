/** `scrubjay encrypt` and `scrubjay decrypt`: locks the file of a store that has no lock, and takes all locks away. */
import { resolve } from 'node:path'
import { type ConvertedStore, decryptStore, encryptStore } from '../../client/convert-store.ts'
import { recallError } from '../../core/model/errors.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'
import { lockOf } from '../common/lock.ts'
import { storeOf } from '../common/store-path.ts'

type Convert = typeof encryptStore

const commandFor = (convert: Convert, summary: string, done: string): Command => ({
  summary,
  help: 'The store must be closed. It is written again and compared; then the new file takes the place of the old one, which is overwritten.',
  positional: '',
  options: ['store', 'passphrase-file'],
  store: 'none',
  async run(given, io) {
    const lock = lockOf(given, io)
    if (lock === undefined)
      throw recallError('INVALID_ARGUMENT', 'must be given', {
        field: '--passphrase-file',
        hint: 'Write the passphrase into a file, or set the variable SCRUBJAY_PASSPHRASE.',
      })
    const answer: ConvertedStore = await convert(resolve(storeOf(given, io, true)), { lock })
    if (given.options.json === true) writeJson(io.output, answer)
    else writeLine(io.output, answer.changed ? `the store is ${done} now` : `the store was ${done} already`)
    return 0
  },
})

export const encrypt = commandFor(encryptStore, 'Locks a store that has no lock: encrypts its file.', 'encrypted')
export const decrypt = commandFor(decryptStore, 'Takes all locks of a store away: decrypts its file.', 'decrypted')
