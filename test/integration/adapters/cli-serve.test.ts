/** Tests `scrubjay serve`: the token file, which stores and pages are served, the limits, what it prints, how it ends, and what it refuses. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { openRecall } from '../../../src/index.ts'
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { send, upgrade } from '../../support/server/raw-requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-serve-'))
const at = (name: string) => join(folder, name)
const hash = (token: string) => createHash('sha256').update(token).digest('hex')
const tokens = at('tokens')
writeFileSync(tokens, `# two people\n\n${hash('hers')}  her store\r\n  ${hash('his')} his \n`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly texts: { output: string; errors: string }
  readonly code: Promise<number>
  end(): Promise<number>
}

/** Runs a command line in this process; `end` is what SIGTERM does. */
function scrubjay(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Run {
  const texts = { output: '', errors: '' }
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk)
        done()
      },
    })
  const controller = new AbortController()
  const code = runCli(['serve', ...args], {
    input: Readable.from([]),
    output: collect('output'),
    errors: collect('errors'),
    environment,
    signal: controller.signal,
  })
  return {
    texts,
    code,
    end() {
      controller.abort('SIGTERM')
      return code
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

describe.skipIf(noPostgres !== null)('scrubjay serve', () => {
  let database: Postgres
  const running: Run[] = []
  beforeAll(async () => void (database = await startPostgres()))
  afterAll(async () => {
    for (const run of running) await run.end()
    await database?.stop()
  })

  const start = async (more: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) => {
    const port = await freePort()
    const given = Object.hasOwn(environment, 'SCRUBJAY_POSTGRES') ? [] : ['--postgres', database.url]
    const shared = ['--tokens', tokens, '--port', String(port), '--embedder', 'none']
    const run = scrubjay([...given, ...shared, ...more], environment)
    running.push(run)
    const url = `http://127.0.0.1:${port}`
    const isUp = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isUp).toBe(true)
    return { run, url, port, isUp, open: (token: string) => openRecall({ remote: url, token }) }
  }

  test('serves to each token of the file its store, prints the address, and ends with 0 at a signal', async () => {
    const { run, url, isUp, open } = await start()
    const [hers, his] = [await open('hers'), await open('his')]
    await hers.put({ id: 'a', body: 'a jay' })
    expect([await hers.count(), await his.count()]).toEqual([1, 0])
    // The name may have spaces; what follows it is cut.
    expect([(await hers.status()).name, (await his.status()).name]).toEqual(['her store', 'his'])
    for (const token of ['', 'her store', hash('hers')])
      await expect(open(token), token).rejects.toMatchObject({ name: 'RecallError' })
    expect(run.texts).toEqual({ output: '', errors: `scrubjay: serving ${url}\n` })
    await Promise.all([hers.close(), his.close()])
    expect(await run.end()).toBe(0)
    expect(await isUp()).toBe(false)
  })

  test('prints the address as JSON with --json', async () => {
    const { run, url } = await start(['--json'])
    expect(JSON.parse(run.texts.output)).toEqual({ url })
    expect(await run.end()).toBe(0)
  })

  test('takes the database from the environment, has tables in the schema that is named, and is quiet if asked to be', async () => {
    const { run, open } = await start(['--schema', 'elsewhere', '--quiet'], { SCRUBJAY_POSTGRES: database.url })
    const store = await open('hers')
    expect(await store.count()).toBe(0)
    await store.put({ body: 'a wren' })
    await store.close()
    const pool = database.pool()
    const { rows } = await pool.query(`SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname LIKE 'else%'`)
    await pool.end()
    expect(rows).toEqual([{ schemaname: 'elsewhere' }])
    expect(await run.end()).toBe(0)
    expect(run.texts).toEqual({ output: '', errors: '' })
  })

  test('keeps closed stores in the folder of --cache, and holds as many as --open-stores says', async () => {
    const cache = at('cache')
    const { run, open } = await start(['--schema', 'cached', '--cache', cache, '--open-stores', '1'])
    for (const token of ['hers', 'his']) {
      const store = await open(token)
      await store.put({ body: 'a robin' })
      await store.close()
    }
    await expect.poll(() => readdirSync(cache).filter((name) => name.endsWith('.scrubjay-cache')).length).toBe(1)
    await run.end()
  })

  test('refuses records beyond --most-records and calls beyond --most-calls', async () => {
    const { run, open } = await start(['--schema', 'limited', '--most-records', '2', '--most-calls', '10'])
    const store = await open('hers')
    await expect(store.put(['a', 'b', 'c'].map((id) => ({ id, body: id })))).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    })
    await store.put(['a', 'b'].map((id) => ({ id, body: id })))
    const calls = await Promise.allSettled(Array.from({ length: 40 }, () => store.count()))
    expect(calls.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5)
    await store.close()
    await run.end()
  })

  test('lets pages connect only from the origins that are named, or from all with *', async () => {
    const answerTo = async (more: readonly string[], origin: string) => {
      const { run, port } = await start(more)
      const answer = await send(port, [upgrade('/v1/live', [`Origin: ${origin}`, 'Sec-WebSocket-Protocol: scrubjay'])])
      await run.end()
      return answer.slice(9, 12)
    }
    const two = ['--origin', 'https://a.example', '--origin', 'https://b.example']
    expect(await answerTo(two, 'https://a.example')).toBe('101')
    expect(await answerTo(two, 'https://b.example')).toBe('101')
    expect(await answerTo(two, 'https://c.example')).toBe('403')
    expect(await answerTo([], 'https://a.example')).toBe('403')
    expect(await answerTo(['--origin', '*'], 'https://c.example')).toBe('101')
  })

  test('fails with 1 if the port is taken or the database is not there', async () => {
    const { run, port } = await start()
    const shared = ['--tokens', tokens, '--port', String(port), '--embedder', 'none']
    const second = scrubjay(['--postgres', database.url, ...shared])
    expect(await second.code).toBe(1)
    expect(second.texts.errors).toContain('EADDRINUSE')
    const lost = scrubjay(['--postgres', 'postgresql://127.0.0.1:1/none', ...shared])
    expect(await lost.code).toBe(1)
    expect(lost.texts.errors).toMatch(/^scrubjay: /)
    await run.end()
  })
})

describe('scrubjay serve refuses, with exit code 2,', () => {
  const given = ['--postgres', 'postgresql://127.0.0.1:1/none']
  const fileOf = (name: string, text: string) => {
    writeFileSync(at(name), text)
    return at(name)
  }
  test.each([
    ['no database', ['--tokens', tokens], '--postgres', 'SCRUBJAY_POSTGRES'],
    ['an empty database', ['--postgres', '', '--tokens', tokens], '--postgres', 'SCRUBJAY_POSTGRES'],
    ['no tokens', given, '--tokens', 'must be given'],
    ['a port of 0', [...given, '--tokens', tokens, '--port', '0'], '--port', 'from 1 to 65535'],
    ['a port above 65,535', [...given, '--tokens', tokens, '--port', '65536'], '--port', 'from 1 to 65535'],
    ['threads that are no number', [...given, '--tokens', tokens, '--threads', 'two'], '--threads', 'from 1 to 1024'],
    ['more than 1,024 threads', [...given, '--tokens', tokens, '--threads', '1025'], '--threads', 'from 1 to 1024'],
    [
      'an embedder of another name',
      [...given, '--tokens', tokens, '--embedder', 'all'],
      '--embedder',
      'builtin, minilm, none',
    ],
    [
      'a line without a name',
      [...given, '--tokens', fileOf('a', `#\n${hash('a')} b\n${hash('c')}`)],
      '--tokens',
      'line 3',
    ],
    ['a token that is not hashed', [...given, '--tokens', fileOf('b', 'secret her\n')], '--tokens', 'line 1'],
    ['a hash in capitals', [...given, '--tokens', fileOf('c', `${hash('a').toUpperCase()} b`)], '--tokens', 'line 1'],
  ])('%s', async (_name, args, field, words) => {
    const { code, texts } = scrubjay([...args, '--json'])
    expect(await code).toBe(2)
    const { error } = JSON.parse(texts.errors) as { error: { code: string; field: string; message: string } }
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect(error.message).toContain(words)
    // No token comes back.
    expect(texts.errors).not.toContain('secret')
  })
})
