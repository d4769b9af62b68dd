/**
 * Measures what the heaviest allowed calls of one store cost another on the same node: `npm run scale:share`. Store A sends 100 recalls with
 * `limit: 1000` and a ledger, again and again; store B asks 10 records at a time, one question after the other. [N5] allows the 95th percentile of B
 * 200 ms more than alone.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hashToken, serve } from '../../src/server/index.ts'
import { createRandom } from '../support/data/random.ts'
import { startPostgres } from '../support/postgres.ts'
import { percentiles, print, timed } from './report.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '20' },
    // The address of a server: this process is store A.
    abuse: { type: 'string' },
  },
})
const [records, seconds] = [Number(values.records), Number(values.seconds)]
const words = 'jay acorn oak cache winter nest feather query index deploy error token forest river stone cloud'.split(
  ' ',
)
const random = createRandom(5)

if (values.abuse === undefined) await measure()
else await abuse(values.abuse)

async function measure(): Promise<void> {
  const database = await startPostgres()
  const tokens = { [hashToken('a')]: 'a', [hashToken('b')]: 'b' }
  const limits = { callsPerSecond: 1e6 }
  const server = await serve({ postgres: database.url, tokens, store: { embedder: null }, limits }, { port: 0 })
  try {
    for (const token of ['a', 'b']) await fill(server.url, token)
    const alone = await ask(server.url)
    // A process of its own, so that only its calls cost the server something.
    const other = fork(fileURLToPath(import.meta.url), ['--abuse', server.url], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const beside = await ask(server.url)
    const answered = new Promise((resolve) => other.once('message', resolve))
    other.send('stop')
    console.log(
      `records in each store: ${records}; answers of 1,000 hits with a ledger to A meanwhile: ${await answered}`,
    )
    print('B alone, ms', percentiles(alone))
    print('B beside A, ms', percentiles(beside))
    const growth = percentiles(beside)['p95']! - percentiles(alone)['p95']!
    console.log(`p95 of B grew by ${growth.toFixed(0)} ms; [N5] allows 200`)
    process.exitCode = growth <= 200 ? 0 : 1
    other.kill()
  } finally {
    await server.close()
    await database.stop()
  }
}

async function call(url: string, token: string, method: string, request: object): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/v1/call`, { method: 'POST', headers, body: JSON.stringify({ method, request }) })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${method}: HTTP ${answer.status}`)
}

async function fill(url: string, token: string): Promise<void> {
  for (let from = 0; from < records; from += 500) {
    const batch = Array.from({ length: 500 }, (_, i) => ({
      id: `r${from + i}`,
      title: `Note ${from + i}`,
      body: Array.from({ length: 40 }, () => random.pick(words)).join(' '),
    }))
    await call(url, token, 'put', { batch })
  }
}

/** ms of each recall of B. */
async function ask(url: string): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; )
    times.push(await timed(() => call(url, 'b', 'recall', { query: { text: twoWords() } })))
  return times
}

/** 100 calls at a time until the parent says stop; then sends it the number of answers. */
async function abuse(url: string): Promise<void> {
  let answers = 0
  let isStopped = false
  process.once('message', () => {
    isStopped = true
    process.send!(answers)
  })
  const worker = async () => {
    while (!isStopped) {
      const query = { text: twoWords(), limit: 1_000, ledger: true }
      const isAnswered = await call(url, 'a', 'recall', { query }).then(
        () => true,
        () => false,
      )
      if (isAnswered) answers++
    }
  }
  await Promise.all(Array.from({ length: 100 }, worker))
}

function twoWords(): string {
  return `${random.pick(words)} ${random.pick(words)}`
}
