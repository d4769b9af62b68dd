/** `scrubjay import <what>`: folders of notes, exports of other programs, single files, or a file that `scrubjay export` wrote. */
import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs'
import { problemOf, type RecallError, recallError } from '../../core/model/errors.ts'
import { choiceOf, type Given, wrongUse } from '../common/arguments.ts'
import { transcriptIn } from '../common/hook.ts'
import { importFiles } from '../common/import-files.ts'
import { type Command, type CommandIo, writeError, writeJson, writeLine } from '../common/io.ts'
import { passphraseIn } from '../common/lock.ts'

export const importCommand: Command = {
  summary:
    'Imports notes, chats, bookmarks, mail and tables, or a file that export wrote; creates the store if it does not exist.',
  help: 'Gives a folder of Markdown, a zip or JSON export of ChatGPT or Claude, bookmarks.html, an mbox, a CSV, a PDF file (with the package unpdf), or a file of `scrubjay export` (- reads one from stdin). Importing again changes only what changed; records of files that are gone from a folder are forgotten. Exit code 1 if a part is damaged or rejected. --mode and --learned are for files that export wrote. --hook imports the transcript of the session of Claude Code that runs the command as a hook.',
  positional: '<file or folder>… ',
  options: ['project', 'tag', 'time-zone', 'keep', 'force', 'mode', 'learned', 'export-passphrase-file', 'hook'],
  store: 'create',
  showsProgress: (given) => !isBackup(given),
  check(given) {
    if (given.options.hook === true && (given.positional.length > 0 || isBackup(given)))
      throw wrongUse('With --hook no file may be given', 'scrubjay import --help')
    if (given.positional.length === 0 && given.options.hook !== true)
      throw wrongUse('A file or folder must be given', 'scrubjay import --help')
    choiceOf(given, 'mode', ['merge', 'replace'])
    choiceOf(given, 'learned', ['keep', 'drop'])
    for (const path of given.positional) {
      if (path !== '-' && !existsSync(path)) {
        throw recallError('INVALID_ARGUMENT', 'must be a file or folder that exists', {
          field: 'file',
          value: path,
          hint: 'Check the path.',
        })
      }
    }
    if (isBackup(given) && given.positional.length > 1)
      throw wrongUse('One file of export must be given', 'scrubjay import --help')
  },
  run(given, io, store) {
    if (given.options.hook === true) return importTranscript(given, io, store)
    return isBackup(given) ? importBackup(given, io, store) : importOthers(given, io, store)
  },
}

type Store = Parameters<Command['run']>[2]

async function importBackup(given: Given, { input, output, signal }: CommandIo, store: Store): Promise<number> {
  const path = given.positional[0]!
  const mode = choiceOf(given, 'mode', ['merge', 'replace']) ?? 'merge'
  const learned = choiceOf(given, 'learned', ['keep', 'drop']) ?? 'keep'
  const source: AsyncIterable<Uint8Array> = path === '-' ? input : createReadStream(path)
  const receipt = await store.importFrom(source, { mode, learned, ...lockOfExport(given) }, { signal }).catch(explain)
  if (given.options.json === true) writeJson(output, receipt)
  else {
    const { read, inserted, updated, unchanged, removed } = receipt
    writeLine(
      output,
      `read ${read}: inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, removed ${removed}`,
    )
  }
  return 0
}

function lockOfExport({ options: { 'export-passphrase-file': file } }: Given) {
  return file === undefined ? {} : { lock: { passphrase: passphraseIn(file, '--export-passphrase-file') } }
}

/** Names the option of the command instead of that of the method. */
function explain(error: unknown): never {
  const { code, field } = error as Partial<RecallError>
  if (field !== 'lock' || code === undefined) throw error
  throw recallError(code, problemOf(error as RecallError), {
    hint: 'Give --export-passphrase-file with a passphrase of the store that was exported, or leave it out for a plain export.',
  })
}

/** Ends with 1 for a wrong input: with 2, a hook keeps Claude Code from ending its turn. */
async function importTranscript(given: Given, io: CommandIo, store: Store): Promise<number> {
  let path: string
  try {
    path = await transcriptIn(io.input)
  } catch (error) {
    writeError(io.errors, error, given.options.json === true)
    return 1
  }
  return importOthers({ ...given, positional: [path] }, io, store)
}

async function importOthers(given: Given, io: CommandIo, store: Store): Promise<number> {
  const { project, tag, json, keep, force, 'time-zone': timeZone } = given.options
  const result = await importFiles(store, given.positional, {
    timeZone,
    record: { ...(project === undefined ? {} : { project }), ...(tag === undefined ? {} : { tags: tag }) },
    signal: io.signal,
    keep,
    force,
    onBatch: ({ records, files }) => {
      const line = `import: ${records} records of ${files} files`
      io.progress.show(line, line)
    },
  })
  const { report, rejected, inserted, updated, unchanged, removed } = result
  if (json === true) writeJson(io.output, result)
  else {
    const kinds = Object.entries(report.kinds).map(([kind, count]) => `${kind} ${count}`)
    writeLine(
      io.output,
      `read ${report.records}: inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, removed ${removed}`,
    )
    if (kinds.length > 0) writeLine(io.output, `kinds: ${kinds.join(', ')}`)
    if (report.left > 0) {
      const codes = Object.entries(report.leftByCode).map(([code, count]) => `${code} ${count}`)
      writeLine(io.output, `left out ${report.left}: ${codes.join(', ')}`)
    }
    for (const { file, part, code, message } of report.listed.slice(0, mostLines))
      writeLine(io.errors, `${code}: ${file}${part === null ? '' : `, ${part}`} ${message}`)
    if (report.left > mostLines)
      writeLine(io.errors, `… and ${report.left - mostLines} more; --json lists the first 1000`)
    for (const { file, part, message } of report.warnings.slice(0, mostLines))
      writeLine(io.errors, `warning: ${file}${part === null ? '' : `, ${part}`} ${message}`)
    for (const { id, message } of rejected) writeLine(io.errors, `rejected: ${id}: ${message ?? ''}`)
  }
  const isDamaged = ['damaged', 'archive', 'unreadable', 'unsafe-path', 'encrypted'].some(
    (code) => (report.leftByCode[code] ?? 0) > 0,
  )
  // With --force a folder may be empty.
  return isDamaged || rejected.length > 0 || (report.records === 0 && force !== true) ? 1 : 0
}

const mostLines = 20

/** By its first bytes; by the options that only it has; stdin can only be one. */
function isBackup({ positional, options: { mode, learned, 'export-passphrase-file': passphrase } }: Given): boolean {
  const [path = ''] = positional
  if (path === '-' || mode !== undefined || learned !== undefined || passphrase !== undefined) return true
  if (!existsSync(path) || !statSync(path).isFile()) return false
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(8)
    return readSync(file, start, 0, 8, 0) === 8 && start.toString('latin1') === 'SCRUBJAY'
  } finally {
    closeSync(file)
  }
}
