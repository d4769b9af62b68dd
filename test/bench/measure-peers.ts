/** Measures the peers at one size: each built in a worker of a new browser, asked like Scrubjay, then changed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Collection, scopeTags } from './collections.ts'
import { type ExactNeighbours, recallQuestions } from './exact-neighbours.ts'
import { changesOf, figures } from './measure-ours.ts'
import { type BenchPage, type BenchSite, openBenchPage } from './open-bench-page.ts'
import type { Mode } from './page/bench-api.ts'
import { efs, type PeerName, traitsOf } from './page/peer-table.ts'
import { type ChangeRow, changeRowOf, type PeerFigures, type Row, rowOf } from './results.ts'

export interface PeerRun {
  readonly site: BenchSite
  readonly collection: Collection
  readonly exact: ExactNeighbours
  readonly peers: readonly PeerName[]
  readonly changes: boolean
  readonly questions: number
  readonly passes: readonly Row['pass'][]
  readonly budgetMs: number
  readonly say: (line: string) => void
}

/** A mode that fails is reported in words; the others go on. */
export async function measurePeers(run: PeerRun): Promise<{
  readonly version: string
  readonly peers: readonly PeerFigures[]
  readonly rows: readonly Row[]
  readonly changes: readonly ChangeRow[]
}> {
  let version = ''
  const peers: PeerFigures[] = []
  const rows: Row[] = []
  const changes: ChangeRow[] = []
  for (const peer of run.peers) {
    const measured = await inFreshBrowser(run.site, (page) => {
      version = page.version
      return measurePeer(page, peer, run)
    })
    peers.push(measured.figures)
    rows.push(...measured.rows)
    changes.push(...measured.changes)
  }
  return { version, peers, rows, changes }
}

async function measurePeer({ bench }: BenchPage, peer: PeerName, run: PeerRun) {
  const { collection, exact, passes, questions, budgetMs, say } = run
  const { modes, hasScopes, isGraph = false } = traitsOf(peer)
  const rows: Row[] = []
  const changes: ChangeRow[] = []
  const failures: string[] = []
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`)
      say(`${peer}, ${failures.at(-1)}`)
    }
  }
  let buildMs = Number.NaN
  await bench.use({ collection: collection.name })
  await attempt('build', async () => {
    ;({ buildMs } = await bench.build({ peer }))
    say(`${peer}: built in ${buildMs.toFixed(0)} ms`)
  })
  if (failures.length > 0)
    return { figures: { peer, buildMs: null, heapBytes: null, wasmBytes: null, failures }, rows, changes }
  for (const ef of isGraph ? efs : []) {
    await attempt(`ef ${ef}`, async () => {
      if (ef !== efs[0]) await bench.setEf({ ef })
      await bench.time({ mode: 'vector', tag: null, questions, budgetMs })
      const timings = await bench.time({ mode: 'vector', tag: null, questions, budgetMs })
      const recall10 = exact.recallOf(await bench.rank({ mode: 'vector', questions: recallQuestions }))
      const row = { ...rowOf({ contender: peer, mode: 'vector', scope: null, pass: 'warm', ef }, timings), recall10 }
      rows.push(row)
      say(`${peer}, ef ${ef}: ${figures(row)}, recall@10 ${recall10.toFixed(3)}`)
    })
  }
  for (const mode of isGraph ? [] : modes) {
    for (const pass of passes) {
      await attempt(`${mode}, ${pass}`, async () => {
        const timings = await bench.time({ mode, tag: null, questions, budgetMs })
        const row = rowOf({ contender: peer, mode, scope: null, pass }, timings)
        rows.push(row)
        say(`${peer}, ${mode}, ${pass}: ${figures(row)}`)
      })
    }
    if (mode !== 'vector') continue
    await attempt('recall', async () => {
      // At most what a pass has time for.
      const count = Math.min(recallQuestions, ...rows.map((row) => row.questions))
      const recall10 = exact.recallOf(await bench.rank({ mode, questions: count }))
      for (const [i, row] of rows.entries()) if (row.mode === mode) rows[i] = { ...row, recall10 }
      say(`${peer}, recall@10 ${recall10.toFixed(3)}`)
    })
  }
  const scoped = modes.at(-1) as Mode
  for (const { tag, share } of hasScopes && !isGraph ? scopeTags : []) {
    const scope = Math.ceil(collection.records.length / share)
    await attempt(`${scoped} in ${scope}`, async () => {
      const timings = await bench.time({ mode: scoped, tag, questions, budgetMs })
      const row = rowOf({ contender: peer, mode: scoped, scope, pass: 'warm' }, timings)
      rows.push(row)
      say(`${peer}, ${scoped} in ${scope}: ${figures(row)}`)
    })
  }
  const heapBytes = await bench.memory({})
  const wasmBytes = await bench.wasm({})
  for (const verb of run.changes ? (['update', 'remove'] as const) : []) {
    await attempt(verb, async () => {
      const timings = await bench.change({ verb, ...changesOf(collection.records.length) })
      changes.push(changeRowOf(peer, verb, timings))
      say(`${peer}, ${verb}: ${Math.round(changes.at(-1)?.recordsPerSecond ?? 0)} records/s`)
    })
  }
  await bench.leave({})
  return { figures: { peer, buildMs, heapBytes, wasmBytes, failures }, rows, changes }
}

/** A browser with an empty profile that is deleted afterwards. */
export async function inFreshBrowser<T>(site: BenchSite, work: (page: BenchPage) => Promise<T>): Promise<T> {
  const profileDir = await mkdtemp(join(tmpdir(), 'scrubjay-bench-profile-'))
  try {
    const page = await openBenchPage(site, profileDir)
    try {
      return await work(page)
    } finally {
      await page.close()
    }
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
