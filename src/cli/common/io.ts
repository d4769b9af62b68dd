/** Defines the streams that a command reads and writes. Tests pass their own streams. */
import type { Readable, Writable } from 'node:stream'
import type { Recall } from '../../client/api/recall.ts'
import { problemOf, RecallError } from '../../core/model/errors.ts'
import { showJson, showLine } from '../../core/present/escape.ts'
import type { Given } from './arguments.ts'
import type { Progress } from './progress.ts'

export interface Io {
  readonly input: Readable
  readonly output: Writable
  readonly errors: Writable & { readonly isTTY?: boolean | undefined }
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal
}

/** What a command gets. */
export interface CommandIo extends Io {
  readonly progress: Progress
}

/** A command: it returns the exit code. 0: done. 1: not everything could be done. Errors are thrown. */
export interface Command {
  readonly summary: string
  /** Lines of `--help` after the usage. */
  readonly help: string
  /** Names of its positional arguments for the usage. */
  readonly positional: string
  readonly options: readonly (keyof Given['options'])[]
  /** `existing`: the file of the store must exist. `create`: it is made if it does not. `none`: the command has no store. */
  readonly store: 'existing' | 'create' | 'none'
  /** Whether it shows its progress itself, and not that of the store. */
  showsProgress?(given: Given): boolean
  /** Throws for wrong arguments before the store is opened, which may create it. */
  check?(given: Given): void
  run(given: Given, io: CommandIo, store: Recall): Promise<number>
}

/**
 * One line, whatever stored texts hold: a terminal would carry out control characters, and a line feed would begin a line that looks like another
 * record [X2].
 */
export function writeLine(stream: Writable, line: string): void {
  stream.write(`${showLine(line)}\n`)
}

/** Lines of the program's own, such as help. */
export function writeLines(stream: Writable, text: string): void {
  for (const line of text.split('\n')) writeLine(stream, line)
}

/** One JSON document, in which no character is hidden. */
export function writeJson(stream: Writable, value: unknown): void {
  stream.write(`${showJson(JSON.stringify(value, null, 1))}\n`)
}

/** `scrubjay: …` and the hint, or one JSON document. */
export function writeError(stream: Writable, error: unknown, isJson: boolean): void {
  if (!(error instanceof RecallError)) {
    const message = error instanceof Error ? error.message : String(error)
    if (isJson) writeJson(stream, { error: { code: 'FAILED', message } })
    else writeLine(stream, `scrubjay: ${message}`)
    return
  }
  const { code, message, field = null, hint = null, committed } = error
  if (isJson) writeJson(stream, { error: { code, message, field, hint, committed } })
  else {
    writeLine(stream, `scrubjay: ${problemOf(error)}. (${code})`)
    if (hint !== null) writeLine(stream, `Hint: ${hint}`)
  }
}
