/** MiniSearch and Orama at one size: each built in a worker of a fresh browser, then asked as Scrubjay is. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Collection, scopeTags } from './collections.ts'
import { figures } from './measure-ours.ts'
import { type BenchPage, openBenchPage } from './open-bench-page.ts'
import type { Mode, PeerName } from './page/bench-api.ts'
import { type PeerFigures, type Row, rowOf } from './results.ts'

export interface PeerRun {
  readonly url: string
  readonly collection: Collection
  readonly peers: readonly PeerName[]
  readonly questions: number
  readonly budgetMs: number
  readonly say: (line: string) => void
}

/** What each peer is asked; Orama's vectors do not depend on its words, so one of the two is asked for them. */
export const peerModes: Readonly<Record<PeerName, readonly Mode[]>> = {
  minisearch: ['lexical'],
  'minisearch-content': ['lexical'],
  orama: ['lexical', 'vector', 'hybrid'],
  'orama-content': ['lexical', 'hybrid'],
}

/** A mode that fails is reported in words; the others go on. */
export async function measurePeers(run: PeerRun): Promise<{
  readonly version: string
  readonly peers: readonly PeerFigures[]
  readonly rows: readonly Row[]
}> {
  let version = ''
  const peers: PeerFigures[] = []
  const rows: Row[] = []
  for (const peer of run.peers) {
    const measured = await inFreshBrowser(run.url, (page) => {
      version = page.version
      return measurePeer(page, peer, run)
    })
    peers.push(measured.figures)
    rows.push(...measured.rows)
  }
  return { version, peers, rows }
}

async function measurePeer({ bench }: BenchPage, peer: PeerName, { collection, questions, budgetMs, say }: PeerRun) {
  await bench.use({ collection: collection.name })
  const { buildMs } = await bench.build({ peer })
  say(`${peer}: built in ${buildMs.toFixed(0)} ms`)
  const rows: Row[] = []
  const failures: string[] = []
  for (const mode of peerModes[peer]) {
    for (const pass of ['cold', 'warm'] as const) {
      try {
        const timings = await bench.time({ mode, tag: null, questions, budgetMs })
        const row = rowOf({ contender: peer, mode, scope: null, pass }, timings)
        rows.push(row)
        say(`${peer}, ${mode}, ${pass}: ${figures(row)}`)
      } catch (error) {
        failures.push(`${mode}, ${pass}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`)
        say(`${peer}, ${failures.at(-1)}`)
      }
    }
  }
  const scoped = peerModes[peer].at(-1) as Mode
  for (const { tag, share } of scopeTags) {
    const scope = Math.ceil(collection.records.length / share)
    const timings = await bench.time({ mode: scoped, tag, questions, budgetMs })
    const row = rowOf({ contender: peer, mode: scoped, scope, pass: 'warm' }, timings)
    rows.push(row)
    say(`${peer}, ${scoped} in ${scope}: ${figures(row)}`)
  }
  const heapBytes = await bench.memory({})
  await bench.leave({})
  return { figures: { peer, buildMs, heapBytes, failures }, rows }
}

/** A browser with an empty profile that is deleted afterwards. */
export async function inFreshBrowser<T>(url: string, work: (page: BenchPage) => Promise<T>): Promise<T> {
  const profileDir = await mkdtemp(join(tmpdir(), 'scrubjay-bench-profile-'))
  try {
    const page = await openBenchPage(url, profileDir)
    try {
      return await work(page)
    } finally {
      await page.close()
    }
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
