/** `scrubjay watch <folder>`: keeps the records of a folder as its files are, until it is stopped. */
import { statSync } from 'node:fs'
import { recallError } from '../../core/model/errors.ts'
import { type Given, wrongUse } from '../common/arguments.ts'
import type { ImportedFiles } from '../common/import-files.ts'
import { type Command, writeError, writeJson, writeLine } from '../common/io.ts'
import { watchFolder } from '../common/watch-folder.ts'

export const watch: Command = {
  summary:
    'Keeps a folder of notes indexed: created, changed, renamed and deleted files; creates the store if it does not exist.',
  help: 'Files that .gitignore names are left out. Records that refer to changed files are marked as stale. Ends with SIGINT. `scrubjay mcp --watch <folder>` does the same while it serves.',
  positional: '<folder> ',
  options: ['project', 'tag', 'time-zone', 'force'],
  store: 'create',
  showsProgress: () => true,
  check(given) {
    if (given.positional.length !== 1) throw wrongUse('One folder must be given', 'scrubjay watch --help')
    checkFolder(given.positional[0]!, 'folder')
  },
  async run(given, { output, errors, signal }, store) {
    const { project, tag, json, force, 'time-zone': timeZone } = given.options
    await watchFolder(store, given.positional[0]!, {
      timeZone,
      record: { ...(project === undefined ? {} : { project }), ...(tag === undefined ? {} : { tags: tag }) },
      signal,
      force,
      onRead: (result) => (json === true ? writeJson(output, result) : writeLine(output, lineOf(result))),
      onError: (error) => writeError(errors, error, json === true),
    })
    return 0
  },
}

export function lineOf({ inserted, updated, unchanged, removed, report }: ImportedFiles): string {
  return `inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, removed ${removed}, left out ${report.left}`
}

export function checkFolder(path: string, field: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  throw recallError('INVALID_ARGUMENT', 'must be a folder that exists', { field, value: path, hint: 'Check the path.' })
}

export function watchedOf({ options: { watch: path } }: Given): string | undefined {
  if (path !== undefined) checkFolder(path, '--watch')
  return path
}
