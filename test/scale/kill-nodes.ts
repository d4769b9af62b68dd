/**
 * Kills a node of the built package in the middle of writes, again and again, and looks for every acknowledged write: `npm run scale:kills -- 200`.
 * The client connects again by itself, and repeats what was not answered. The database syncs to the disk.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecall } from '../../dist/src/index.js'
import { hashToken } from '../../dist/src/server/index.js'
import { createRandom } from '../support/data/random.ts'
import { startPostgres } from '../support/postgres.ts'

const kills = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? 1)
const cli = join(import.meta.dirname, '../../dist/src/cli/main.js')

const random = createRandom(seed)
const database = await startPostgres({ fsync: true })
const folder = mkdtempSync(join(tmpdir(), 'scrubjay-kills-'))
const tokens = join(folder, 'tokens')
writeFileSync(tokens, `${hashToken('token')} store\n`)
const port = await freePort()
const nodes = [port, await freePort()]
const running = new Map<number, ChildProcess>()

try {
  for (const own of nodes) await startNode(own)
  const stores = await Promise.all(
    nodes.map((own) => openRecall({ remote: `http://127.0.0.1:${own}`, token: 'token' })),
  )
  const acknowledged = new Set<string>()
  const twice: string[] = []
  const forgotten = new Set<string>()
  let isEnding = false
  const work = async (client: number) => {
    const store = stores[client % stores.length]!
    for (let i = 0; !isEnding; i++) {
      const id = `c${client}-${i}`
      try {
        const { records } = await store.put({ id, body: `write ${i} of client ${client}` })
        acknowledged.add(id)
        if (records[0]!.outcome !== 'inserted') twice.push(id)
        if (i % 10 === 9) {
          await store.forget(id)
          acknowledged.delete(id)
          forgotten.add(id)
        }
      } catch (error) {
        // Not acknowledged: it may be there or not.
        if (
          !/DEADLINE_EXCEEDED|STORAGE_UNAVAILABLE|STORE_BUSY|LEADER_LOST/.test(
            String((error as { code?: string }).code),
          )
        )
          throw error
      }
    }
  }
  const workers = [0, 1, 2, 3].map(work)
  for (let kill = 1; kill <= kills; kill++) {
    await new Promise((resolve) => setTimeout(resolve, random.below(400)))
    const own = random.pick(nodes)
    const node = running.get(own)!
    node.kill('SIGKILL')
    await once(node, 'exit')
    await startNode(own)
    if (kill % 10 === 0 || kill === kills)
      console.log(`kill ${kill}: ${acknowledged.size} writes and ${forgotten.size} forgets acknowledged`)
  }
  isEnding = true
  await Promise.all(workers)
  const ids = [...acknowledged]
  const stored = await stores[0]!.get(ids)
  const lost = ids.filter((_, i) => stored[i] === undefined)
  const back = (await stores[1]!.get([...forgotten])).filter((record) => record !== undefined)
  console.log(
    JSON.stringify({
      seed,
      kills,
      acknowledged: ids.length,
      lost: lost.length,
      twice: twice.length,
      forgotten: forgotten.size,
      back: back.length,
    }),
  )
  if (lost.length + twice.length + back.length > 0 || ids.length < kills) process.exitCode = 1
  await Promise.all(stores.map((store) => store.close()))
} finally {
  for (const node of running.values()) node.kill('SIGKILL')
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startNode(own: number): Promise<void> {
  const args = [
    cli,
    'serve',
    '--postgres',
    database.url,
    '--tokens',
    tokens,
    '--port',
    String(own),
    '--embedder',
    'none',
    '--most-calls',
    '100000',
  ]
  const node = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  running.set(own, node)
  let said = ''
  node.stderr.on('data', (text) => (said += String(text)))
  for (let i = 0; i < 3_000; i++) {
    if (said.includes('serving')) return
    if (node.exitCode !== null) throw new Error(`A node did not start: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`A node did not start in a minute: ${said}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return own
}
