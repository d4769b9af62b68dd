/**
 * T19: two clients of the Model Context Protocol and the command line work on one store at once, each with a process of the built package. Now
 * and then the oldest client's process is killed, and a new one takes its place. Red when a call is an error, when an acknowledged record is
 * missing or a forgotten one is there, and when the control, whose command line writes to another store, loses nothing.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Outcome, print, quantile } from '../outcome.ts'
import { createRandom, type Random } from '../t3/random.ts'

const program = new URL('../../../dist/src/cli/main.js', import.meta.url).pathname

interface Tally {
  calls: number
  kills: number
  readonly stored: Set<string>
  readonly forgotten: Set<string>
  readonly errors: string[]
  readonly times: number[]
  readonly lost: string[]
}

interface McpClient {
  readonly pid: number
  call(tool: string, args: object): Promise<Answer>
  close(): Promise<void>
}

type Answer = Readonly<Record<string, unknown>>

/** `--seconds`, `--kill-every` (seconds; 0: none), `--seed`. */
export async function runMixedClients(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '600' },
      'kill-every': { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [seconds, killEvery, seed] = [values.seconds, values['kill-every'], values.seed].map(Number) as [
    number,
    number,
    number,
  ]
  const shipped = await mixed({ seconds, killEvery, seed, apart: false })
  for (const line of [...shipped.errors, ...shipped.lost].slice(0, 20)) print(line)
  const control = await mixed({ seconds: Math.min(seconds, 20), killEvery: 0, seed, apart: true })
  return {
    isGreen: shipped.errors.length + shipped.lost.length === 0 && shipped.stored.size > 0 && control.lost.length > 0,
    size: `${seconds} s, ${shipped.kills} kills`,
    seeds: String(seed),
    result: `${shipped.calls} calls, ${shipped.errors.length} errors, ${shipped.stored.size} stored, ${shipped.lost.length} lost or back, call p50 ${quantile(shipped.times, 0.5).toFixed(0)} ms, p99 ${quantile(shipped.times, 0.99).toFixed(0)} ms`,
    control: `${control.lost.length} lost`,
    browsers: '',
  }
}

interface Work {
  readonly seconds: number
  readonly killEvery: number
  readonly seed: number
  /** The control: the command line has a store of its own. */
  readonly apart: boolean
}

async function mixed({ seconds, killEvery, seed, apart }: Work): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-mixed-'))
  const store = join(folder, 'shared.sqlite')
  const own = apart ? join(folder, 'apart.sqlite') : store
  const tally: Tally = {
    calls: 0,
    kills: 0,
    stored: new Set(),
    forgotten: new Set(),
    errors: [],
    times: [],
    lost: [],
  }
  const random = createRandom(seed)
  const clients = [await connect(store), await connect(store)]
  try {
    const endMs = performance.now() + seconds * 1_000
    for (let round = 0; performance.now() < endMs; round++) {
      const roundEndMs = Math.min(endMs, performance.now() + (killEvery || seconds) * 1_000)
      const isOver = () => performance.now() >= roundEndMs
      const workers = [
        ...clients.map((client) => useClient(client, tally, random, isOver)),
        useCommandLine(own, tally, isOver),
      ]
      await Promise.all(workers)
      if (killEvery === 0) continue
      const [oldest] = clients.splice(0, 1)
      process.kill(oldest!.pid, 'SIGKILL')
      tally.kills += 1
      // The other one takes over while it is asked.
      await counted(tally, () => clients[0]!.call('recall', { query: 'jay' }))
      await oldest!.close()
      clients.push(await connect(store))
    }
    const page = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const more = cursor === undefined ? [] : ['--cursor', cursor]
      const listed = JSON.parse(await commandLine(store, 'list', '--limit', '500', ...more)) as Listed
      for (const { id } of listed.items) page.add(id)
      cursor = listed.nextCursor ?? undefined
      if (cursor === undefined) break
    }
    for (const id of tally.stored) if (!page.has(id)) tally.lost.push(`lost ${id}`)
    for (const id of tally.forgotten) if (page.has(id)) tally.lost.push(`back ${id}`)
    return tally
  } finally {
    for (const client of clients) await client.close().catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Listed {
  readonly items: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

async function useClient(client: McpClient, tally: Tally, random: Random, isOver: () => boolean): Promise<void> {
  const mine: string[] = []
  while (!isOver()) {
    const number = tally.calls
    const written = await counted(tally, () => client.call('remember', { text: `Fact ${number} about the jay` }))
    const id = String(written?.['id'] ?? '')
    if (written === null || id === '') continue
    tally.stored.add(id)
    mine.push(id)
    const found = await counted(tally, () => client.call('recall', { query: `fact ${number}`, limit: 3 }))
    if (found !== null && !JSON.stringify(found).includes(id)) tally.errors.push(`not found: ${id}`)
    if (!random.chance(0.2)) continue
    const gone = mine.splice(random.between(0, mine.length - 1), 1)[0]!
    // Until it is acknowledged, it is neither stored nor forgotten.
    tally.stored.delete(gone)
    if ((await counted(tally, () => client.call('forget', { ids: [gone] }))) !== null) tally.forgotten.add(gone)
  }
}

async function useCommandLine(store: string, tally: Tally, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const answer = await counted(tally, async () =>
      JSON.parse(await commandLine(store, 'put', `Fact ${tally.calls} of the command line`)),
    )
    for (const id of (answer?.['ids'] as readonly string[] | undefined) ?? []) tally.stored.add(id)
    await counted(tally, async () => JSON.parse(await commandLine(store, 'recall', 'fact of the command line')))
  }
}

/** Null after an error, which is kept. */
async function counted(tally: Tally, work: () => Promise<Answer>): Promise<Answer | null> {
  tally.calls += 1
  const startedMs = performance.now()
  try {
    const answer = await work()
    tally.times.push(performance.now() - startedMs)
    if (answer['error'] === undefined) return answer
    tally.errors.push(JSON.stringify(answer['error']))
  } catch (error) {
    tally.errors.push(String(error))
  }
  return null
}

async function connect(store: string): Promise<McpClient> {
  const client = new Client({ name: 'torture', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const args = [program, 'mcp', '--store', store, '--embedder', 'none', '--quiet']
  const transport = new StdioClientTransport({ command: process.execPath, args })
  await client.connect(transport)
  return {
    pid: transport.pid!,
    async call(name, given) {
      const { content } = await client.callTool({ name, arguments: { ...given } })
      return JSON.parse((content as readonly { readonly text: string }[])[0]!.text) as Answer
    },
    close: () => client.close(),
  }
}

function commandLine(store: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const given = [program, ...args, '--store', store, '--embedder', 'none', '--json']
    execFile(process.execPath, given, (error, output, errors) => (error ? reject(new Error(errors)) : resolve(output)))
  })
}
