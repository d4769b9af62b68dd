/** Defines the streams that a command reads and writes. Tests pass their own streams. */
import type { Readable, Writable } from 'node:stream'
import type { Recall } from '../../client/api/recall.ts'
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

/** Stored texts may hold control characters, which a terminal would carry out; they are left out. */
export function writeLine(stream: Writable, line: string): void {
  stream.write(`${line.replace(/[^\P{Cc}\n\t]/gu, '')}\n`)
}

/** One JSON document. Control characters are escaped, also those that JSON need not escape. */
export function writeJson(stream: Writable, value: unknown): void {
  const json = JSON.stringify(value, null, 1)
  const escaped = json.replace(/[\u007F-\u009F]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)
  stream.write(`${escaped}\n`)
}
