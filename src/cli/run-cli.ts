/** Runs one command line: finds the command, opens its store, reports errors, and closes the store. */
import type { Recall } from '../client/api/recall.ts'
import { openRecall } from '../client/open.ts'
import { RecallError, recallError } from '../core/model/errors.ts'
import { packageVersion } from '../protocol/version.ts'
import { about } from './commands/about.ts'
import { ask } from './commands/ask.ts'
import { completionOf } from './commands/completion.ts'
import { convert } from './commands/convert-model.ts'
import { decrypt, encrypt } from './commands/encrypt.ts'
import { exportStore } from './commands/export.ts'
import { forget } from './commands/forget.ts'
import { importCommand } from './commands/import.ts'
import { keys } from './commands/keys.ts'
import { list } from './commands/list.ts'
import { mcp } from './commands/mcp.ts'
import { put } from './commands/put.ts'
import { recall } from './commands/recall.ts'
import { serve } from './commands/serve.ts'
import { status } from './commands/status.ts'
import { verify } from './commands/verify.ts'
import { watch } from './commands/watch.ts'
import { type Given, languagesOf, options, parseArguments, shared, storeOptions, wrongUse } from './common/arguments.ts'
import { embedderOf } from './common/embedder.ts'
import { type Command, type Io, writeError, writeLines } from './common/io.ts'
import { lockOf } from './common/lock.ts'
import { followStore, noProgress, openProgress } from './common/progress.ts'
import { storeOf } from './common/store-path.ts'

export const commands: Readonly<Record<string, Command>> = {
  ask,
  recall,
  about,
  put,
  list,
  forget,
  export: exportStore,
  import: importCommand,
  watch,
  status,
  keys,
  encrypt,
  decrypt,
  verify,
  mcp,
  serve,
  'convert-model': convert,
  completion: completionOf(() => commands),
}

/** Exit codes: 0 done; 1 failed, or not everything could be done; 2 wrong use; 130 ended by a signal. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  const isJson = args.includes('--json')
  try {
    return await run(args, io)
  } catch (error) {
    if (io.signal.aborted) return io.signal.reason === 'EPIPE' ? 0 : 130
    writeError(io.errors, error, isJson)
    return error instanceof RecallError && error.code.startsWith('INVALID_') ? 2 : 1
  }
}

async function run([name = '--help', ...args]: readonly string[], io: Io): Promise<number> {
  if (name === '--version') return print(packageVersion, io)
  if (name === '--help' || name === 'help') return print(generalHelp(), io)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    throw recallError('INVALID_ARGUMENT', 'must be a command', {
      field: 'command',
      value: name,
      hint: `Use one of ${Object.keys(commands).join(', ')}, or run scrubjay --help.`,
    })
  }
  const allowed = [...(command.store === 'none' ? [] : storeOptions), ...command.options]
  const given = parseArguments(args, allowed, `scrubjay ${name} --help`)
  if (given.options.help === true) return print(helpOf(name, command, allowed), io)
  if (command.positional === '' && given.positional.length > 0)
    throw wrongUse(`Unexpected argument ${JSON.stringify(given.positional[0])}`, `scrubjay ${name} --help`)
  command.check?.(given)
  const progress = given.options.quiet === true ? noProgress : openProgress(io.errors)
  if (command.store === 'none') return command.run(given, { ...io, progress }, undefined as never)
  const store = await open(given, command, io)
  try {
    const unfollow = command.showsProgress?.(given) === true ? () => undefined : followStore(store, progress)
    try {
      return await command.run(given, { ...io, progress }, store)
    } finally {
      unfollow()
      progress.end()
    }
  } finally {
    await store.close()
  }
}

async function open(given: Given, command: Command, io: Io): Promise<Recall> {
  const path = storeOf(given, io, command.store === 'existing')
  const languages = languagesOf(given)
  const lock = lockOf(given, io)
  const embedder = await embedderOf(given)
  return openRecall({
    path,
    ...(lock === undefined ? {} : { lock }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(languages === undefined ? {} : { languages }),
    timeZone: given.options['time-zone'],
  })
}

function print(text: string, { output }: Io): number {
  writeLines(output, text)
  return 0
}

function generalHelp(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(13)} ${summary}`)
  return `scrubjay <command> [options]\n\n${lines.join('\n')}\n\nscrubjay <command> --help describes a command. Exit codes: 0 done, 1 failed, 2 wrong use.`
}

function helpOf(
  name: string,
  { summary, help, positional }: Command,
  allowed: readonly (keyof Given['options'])[],
): string {
  const lines = [...allowed, ...shared].map((option) => {
    const { type, help: text } = options[option]
    return `  ${`--${option}${type === 'string' ? ' <value>' : ''}`.padEnd(24)} ${text}`
  })
  return `scrubjay ${name} ${positional}[options]\n\n${summary}${help === '' ? '' : `\n${help}`}\n\n${lines.join('\n')}`
}
