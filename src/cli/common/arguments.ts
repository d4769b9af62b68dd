/** The options of all commands, and how they are parsed. A wrong argument is `INVALID_ARGUMENT`, whose hint names the help. */
import { parseArgs } from 'node:util'
import { recallError } from '../../core/model/errors.ts'
import type { Scope } from '../../core/model/query.ts'

/** Type of each option, and its line of the help. */
export const options = {
  store: { type: 'string', help: 'file of the store; default: the variable SCRUBJAY_STORE' },
  'passphrase-file': {
    type: 'string',
    help: 'file with the passphrase of a locked store; default: the variable SCRUBJAY_PASSPHRASE',
  },
  embedder: {
    type: 'string',
    help: '`builtin` (default), `minilm` (needs the package scrubjay-minilm) or `none`; all processes that have a store open must use the same',
  },
  languages: {
    type: 'string',
    help: 'languages of the records, separated by commas, such as de,en; default: those of the store; English for a new store',
  },
  json: { type: 'boolean', help: 'prints one JSON document; errors are JSON on stderr' },
  quiet: { type: 'boolean', help: 'prints no progress on stderr' },
  help: { type: 'boolean', help: 'prints this help' },
  version: { type: 'boolean', help: 'prints the version' },
  limit: { type: 'string', help: 'highest number of records' },
  'time-zone': {
    type: 'string',
    help: 'zone in which days are read, such as Europe/Berlin; default: that of this computer',
  },
  cursor: { type: 'string', help: 'continues a list: `nextCursor` of the previous page' },
  project: { type: 'string', help: 'only records of this project; with put: the project of the records' },
  kind: { type: 'string', help: 'only records of this kind; with put: the kind of the records' },
  tag: {
    type: 'string',
    multiple: true,
    help: 'only records with one of these tags; with put: tags of the records. Repeatable',
  },
  after: { type: 'string', help: 'only records created from this time on, such as 2026-01-31' },
  before: { type: 'string', help: 'only records created before this time' },
  policy: { type: 'string', help: 'name of the policy; default balanced' },
  'min-evidence': { type: 'string', help: '`weak` or `strong`: prints nothing if the evidence is weaker' },
  capture: { type: 'string', help: 'also writes the answer with its facts into this file, for verify' },
  id: { type: 'string', help: 'id of the record; default: a hash of its content' },
  title: { type: 'string', help: 'title of the record' },
  file: { type: 'string', help: 'puts the records of this file instead: JSON Lines or a JSON array; - is stdin' },
  force: {
    type: 'boolean',
    help: 'replaces a file that exists; with import: forgets all records of a folder that has none now',
  },
  keep: { type: 'boolean', help: 'keeps the records of files that are gone from a folder' },
  hook: { type: 'boolean', help: 'reads the input of a hook of Claude Code from stdin, and imports its transcript' },
  watch: { type: 'string', help: 'folder of notes that is kept indexed meanwhile' },
  mode: { type: 'string', help: '`merge` (default) or `replace`, which deletes what is stored first' },
  'new-passphrase-file': { type: 'string', help: 'file with the passphrase to add' },
  'recovery-code': { type: 'boolean', help: 'adds a new recovery code and prints it' },
  plain: { type: 'boolean', help: 'does not encrypt the export of a locked store' },
  'export-passphrase-file': {
    type: 'string',
    help: 'file with a passphrase of the store that was exported; default: the lock of this store',
  },
  learned: { type: 'string', help: '`keep` (default) or `drop`, for files that someone else may have written' },
  postgres: { type: 'string', help: 'URL of the database; default: the variable SCRUBJAY_POSTGRES' },
  schema: { type: 'string', help: 'schema of the tables; default scrubjay' },
  tokens: { type: 'string', help: 'file of tokens: on each line the SHA-256 of a token and the name of its store' },
  host: { type: 'string', help: 'address to listen on; default 127.0.0.1' },
  port: { type: 'string', help: 'port to listen on; default 8080' },
  'open-stores': { type: 'string', help: 'highest number of engines in memory; default 200' },
  cache: { type: 'string', help: 'folder for encrypted files of closed stores, for this process alone; default: none' },
  threads: { type: 'string', help: 'threads that run the engines; default 0, the thread of the server' },
  'most-records': { type: 'string', help: 'highest number of records in a store; default 1000000' },
  'most-calls': { type: 'string', help: 'highest number of calls per second of a store; default 200' },
  origin: { type: 'string', multiple: true, help: 'origin of pages that may connect, or *. Repeatable' },
  out: { type: 'string', help: 'file to write' },
  name: { type: 'string', help: 'name of the model; default: that of its folder' },
  pooling: { type: 'string', help: '`mean` (default) or `cls`, as the model was trained' },
  'max-tokens': { type: 'string', help: 'highest number of tokens of a text, 8 to 512; default 256' },
  'word-bits': { type: 'string', help: 'bits of a value in the table of words: 4 (default), 6 or 8' },
  'query-prefix': { type: 'string', help: 'prefix of questions, as the model was trained; default: none' },
  'document-prefix': { type: 'string', help: 'prefix of records, as the model was trained; default: none' },
  tools: { type: 'string', help: 'names of the offered tools, separated by commas; default: all' },
} as const satisfies Record<string, { type: 'string' | 'boolean'; multiple?: boolean; help: string }>

type Value<Option> = Option extends { multiple: true } ? string[] : Option extends { type: 'string' } ? string : boolean

export interface Given {
  readonly options: { readonly [Name in keyof typeof options]?: Value<(typeof options)[Name]> | undefined }
  readonly positional: readonly string[]
}

/** Options of a command that opens a store. */
export const storeOptions = ['store', 'passphrase-file', 'embedder', 'languages'] as const

/** Options that every command has. */
export const shared: readonly (keyof Given['options'])[] = ['json', 'quiet', 'help']

export function parseArguments(
  args: readonly string[],
  allowed: readonly (keyof Given['options'])[],
  help: string,
): Given {
  const known = Object.fromEntries(
    [...allowed, ...shared].map((name) => {
      const { type, ...more } = options[name]
      return [name, { type, multiple: 'multiple' in more }]
    }),
  )
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true, strict: true })
    return { options: values, positional: positionals }
  } catch (error) {
    // Node's message is a sentence or two; the rest repeats what the hint says.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw wrongUse(sentence, help)
  }
}

export function wrongUse(sentence: string, help: string) {
  return recallError('INVALID_ARGUMENT', sentence, { hint: `Run ${help}.` })
}

/** An integer option; undefined if it was not given. */
export function integerOf(
  given: Given,
  name: 'limit' | 'port' | 'open-stores' | 'threads' | 'most-records' | 'most-calls' | 'max-tokens',
  most: number,
): number | undefined {
  const text = given.options[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value
  throw recallError('INVALID_ARGUMENT', `must be an integer from 1 to ${most}`, {
    field: `--${name}`,
    value: text,
    hint: 'Give a number in this range.',
  })
}

export function choiceOf<T extends string>(
  given: Given,
  name: keyof Given['options'],
  allowed: readonly T[],
): T | undefined {
  const text = given.options[name]
  if (text === undefined || (allowed as readonly unknown[]).includes(text)) return text as T | undefined
  throw recallError('INVALID_ARGUMENT', `must be one of ${allowed.join(', ')}`, {
    field: `--${name}`,
    value: text,
    hint: 'Use one of these values.',
  })
}

export const scopeOptions = ['project', 'kind', 'tag', 'after', 'before'] as const

/** The scope that the options name; empty without one. */
export function scopeOf(given: Given): Scope {
  const { project, kind, tag } = given.options
  const after = timeOf(given, 'after')
  const before = timeOf(given, 'before')
  return {
    ...(project === undefined ? {} : { project }),
    ...(kind === undefined ? {} : { kind }),
    ...(tag === undefined ? {} : { tags: { any: tag } }),
    ...(after === undefined && before === undefined ? {} : { time: { after, before } }),
  }
}

/** A date without a time means the start of the day on this computer. */
function timeOf(given: Given, name: 'after' | 'before'): number | undefined {
  const text = given.options[name]
  if (text === undefined) return undefined
  const ms = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(ms)) return ms
  throw recallError('INVALID_ARGUMENT', 'must be a time', {
    field: `--${name}`,
    value: text,
    hint: 'Give a time such as 2026-01-31 or 2026-01-31T09:30:00Z.',
  })
}

/** Undefined if they are not given. */
export function languagesOf({ options: { languages } }: Given): readonly string[] | undefined {
  return languages?.split(',').map((tag) => tag.trim())
}
