/** `scrubjay export <file>` and `scrubjay import <file>`: the whole store as one file. */
import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { recallError } from '../../core/model/errors.ts'
import { choiceOf, type Given, wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const exportStore: Command = {
  summary: 'Writes the whole store into one file: records, vectors, and what was learned.',
  help: 'The file is created when the export is complete. The name - writes to stdout.',
  positional: '<file> ',
  options: ['force'],
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
    const bytes = store.exportTo({ signal })
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

export const importStore: Command = {
  summary: 'Imports a file that export wrote; creates the store if it does not exist.',
  help: 'Imports all records, or none. The name - reads stdin.',
  positional: '<file> ',
  options: ['mode', 'learned'],
  store: 'create',
  check: (given) => void importOf(given),
  async run(given, { input, output, signal }, store) {
    const { path, mode, learned } = importOf(given)
    const source: AsyncIterable<Uint8Array> = path === '-' ? input : createReadStream(path)
    const receipt = await store.importFrom(source, { mode, learned }, { signal })
    if (given.options.json === true) writeJson(output, receipt)
    else {
      const { read, inserted, updated, unchanged, removed } = receipt
      writeLine(
        output,
        `read ${read}: inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, removed ${removed}`,
      )
    }
    return 0
  },
}

function importOf(given: Given) {
  const path = fileOf(given, 'import')
  const mode = choiceOf(given, 'mode', ['merge', 'replace']) ?? 'merge'
  const learned = choiceOf(given, 'learned', ['keep', 'drop']) ?? 'keep'
  if (path !== '-' && !existsSync(path)) {
    throw recallError('INVALID_ARGUMENT', 'must be a file that exists', {
      field: 'file',
      value: path,
      hint: 'Check the path.',
    })
  }
  return { path, mode, learned }
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
