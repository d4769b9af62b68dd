/** `scrubjay serve`: serves many stores of one PostgreSQL database over HTTP and WebSockets. */
import { readFileSync } from 'node:fs'
import { recallError } from '../../core/model/errors.ts'
import { type Given, integerOf, languagesOf } from '../common/arguments.ts'
import { embedderOf } from '../common/embedder.ts'
import { type Command, type Io, writeJson, writeLine } from '../common/io.ts'

const most = 1_000_000_000

export const serve: Command = {
  summary: 'Serves stores in PostgreSQL to openRecall({ remote }). Needs the packages pg and ws.',
  help: 'The hash in a line of the token file: printf %s "$TOKEN" | sha256sum. SIGTERM ends the server after running calls.',
  positional: '',
  options: [
    'postgres',
    'schema',
    'tokens',
    'host',
    'port',
    'embedder',
    'languages',
    'open-stores',
    'cache',
    'threads',
    'most-records',
    'most-calls',
    'origin',
  ],
  store: 'none',
  async run(given, io) {
    const { schema, host, origin, cache, json, quiet } = given.options
    const embedder = await embedderOf(given)
    const options = {
      postgres: urlOf(given, io),
      tokens: tokensOf(given),
      ...(schema === undefined ? {} : { schema }),
      ...(origin === undefined ? {} : { origins: origin.includes('*') ? ('*' as const) : origin }),
      store: {
        ...(embedder === undefined ? {} : { embedder }),
        languages: languagesOf(given),
      },
      openStores: integerOf(given, 'open-stores', most),
      ...(cache === undefined ? {} : { cache: { folder: cache } }),
      threads: integerOf(given, 'threads', 1_024),
      limits: { records: integerOf(given, 'most-records', most), callsPerSecond: integerOf(given, 'most-calls', most) },
      onError: (error: unknown) =>
        writeLine(io.errors, `scrubjay: ${error instanceof Error ? error.message : String(error)}`),
    }
    // Loaded here, so that other commands need no database driver.
    const { serve: start } = await import('../../server/index.ts')
    const server = await start(options, { host, port: integerOf(given, 'port', 65_535) })
    if (json === true) writeJson(io.output, { url: server.url })
    else if (quiet !== true) writeLine(io.errors, `scrubjay: serving ${server.url}`)
    if (!io.signal.aborted) await new Promise((resolve) => io.signal.addEventListener('abort', resolve, { once: true }))
    await server.close()
    return 0
  },
}

function urlOf({ options: { postgres } }: Given, { environment }: Io): string {
  const url = postgres ?? environment['SCRUBJAY_POSTGRES']
  if (url !== undefined && url !== '') return url
  throw recallError('INVALID_ARGUMENT', 'must be given', {
    field: '--postgres',
    hint: 'Give --postgres postgresql://user@host/database, or set the variable SCRUBJAY_POSTGRES.',
  })
}

/** Lines of a hash and a name, as `sha256sum` prints them; empty lines and lines that begin with # are left out. */
function tokensOf({ options: { tokens: path } }: Given): Readonly<Record<string, string>> {
  if (path === undefined)
    throw recallError('INVALID_ARGUMENT', 'must be given', {
      field: '--tokens',
      hint: 'Give a file with the hash and the store of each token.',
    })
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
  const entries = lines.flatMap((line, i) => {
    if (line === '' || line.startsWith('#')) return []
    const [, hash, name] = /^([0-9a-f]{64})\s+(\S.*)$/.exec(line) ?? []
    if (hash !== undefined && name !== undefined) return [[hash, name] as const]
    throw recallError('INVALID_ARGUMENT', `must have a hash and the name of a store on line ${i + 1}`, {
      field: '--tokens',
      hint: 'Write the SHA-256 of the token in hexadecimal digits, a space, and the name.',
    })
  })
  return Object.fromEntries(entries)
}
