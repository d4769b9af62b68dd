/** `scrubjay export <file>`: the whole store as one file. */
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { recallError } from '../../core/model/errors.ts'
import { type Given, wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const exportStore: Command = {
  summary: 'Writes the whole store into one file: records, vectors, and what was learned.',
  help: 'The file is created when the export is complete. The name - writes to stdout. The export of a locked store opens with its locks.',
  positional: '<file> ',
  options: ['force', 'plain'],
  store: 'existing',
  check(given) {
    const path = fileOf(given, 'export')
    if (path === '-' || existsSync(dirname(path))) return
    throw recallError('INVALID_ARGUMENT', 'must be in a folder that exists', {
      field: 'file',
      value: path,
      hint: 'Create the folder, or give another name.',
    })
  },
  async run(given, { output, errors, signal }, store) {
    const path = fileOf(given, 'export')
    const bytes = store.exportTo({ signal, ...(given.options.plain === true ? { encrypted: false } : {}) })
    if (path === '-') {
      await pipeline(bytes, output, { end: false, signal })
      return 0
    }
    if (existsSync(path) && given.options.force !== true) {
      throw recallError('INVALID_ARGUMENT', 'must be a file that does not exist', {
        field: 'file',
        value: path,
        hint: 'Give another name, or --force.',
      })
    }
    const size = await writeWhole(path, bytes)
    if (given.options.json === true) writeJson(output, { file: path, bytes: size })
    else writeLine(errors, `${path}: ${size} bytes`)
    return 0
  },
}

function fileOf({ positional }: Given, name: string): string {
  const [path] = positional
  if (path === undefined || positional.length > 1) throw wrongUse('One file must be given', `scrubjay ${name} --help`)
  return path
}

/** Writes a new file next to its place, and moves it there when it is whole. Only the user can read it. */
async function writeWhole(path: string, parts: AsyncIterable<Uint8Array>): Promise<number> {
  const unfinished = `${path}.${process.pid}.part`
  const file = await open(unfinished, 'w', 0o600)
  let size = 0
  try {
    for await (const part of parts) {
      await file.writeFile(part)
      size += part.length
    }
    await file.sync()
    await file.close()
    await rename(unfinished, path)
    return size
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(unfinished, { force: true })
    throw error
  }
}
