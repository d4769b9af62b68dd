/** `scrubjay forget <id> …`: deletes records and erases their text. */
import { wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const forget: Command = {
  summary: 'Deletes records by their ids, and erases their text from the file.',
  help: 'Exit code 1 if an id is not stored.',
  positional: '<id>… ',
  options: [],
  store: 'existing',
  async run({ positional, options: { json } }, { output, errors, signal }, store) {
    if (positional.length === 0) throw wrongUse('An id must be given', 'scrubjay forget --help')
    const receipt = await store.forget([...new Set(positional)], { signal })
    if (json === true) writeJson(output, receipt)
    else {
      writeLine(output, `forgotten: ${receipt.forgotten.length}`)
      for (const id of receipt.missing) writeLine(errors, `not stored: ${id}`)
    }
    return receipt.missing.length === 0 ? 0 : 1
  },
}
