/** The worker of a peer: builds one, answers question after question, changes records. */
import { changedRow } from '../changes.ts'
import { loadRecords, type Records } from '../load-collection.ts'
import type { PeerName } from '../peer-table.ts'
import { createMiniSearch } from './minisearch.ts'
import { createOrama } from './orama.ts'
import type { Peer, PeerReply, PeerRequest } from './peer.ts'

let peer: Peer | undefined
let loaded: Records | undefined

onmessage = async ({ data }: MessageEvent<PeerRequest>) => {
  const reply = await answer(data).catch((error: unknown): PeerReply => ({ error: String(error) }))
  postMessage(reply)
}

async function answer(request: PeerRequest): Promise<PeerReply> {
  if (request.verb === 'build') {
    const records = await loadRecords(request.collection)
    const create = await builders[request.peer]()
    const startedMs = performance.now()
    peer = await create(records)
    loaded = records
    return { built: { buildMs: performance.now() - startedMs } }
  }
  if (peer === undefined || loaded === undefined) throw new Error('nothing is built yet')
  if (request.verb === 'wasm') return { wasm: { bytes: peer.wasmBytes?.() ?? null } }
  if (request.verb === 'ef') {
    if (peer.setEf === undefined) throw new Error('the peer searches no graph')
    const startedMs = performance.now()
    await peer.setEf(request.ef)
    return { changed: { tookMs: performance.now() - startedMs } }
  }
  if (request.verb === 'ask') {
    const startedMs = performance.now()
    const found = peer.search(request.ask)
    // The microtask of a promise is not the time of a peer that answers at once.
    const { ids, records } = found instanceof Promise ? await found : found
    return { answered: { ids, records, tookMs: performance.now() - startedMs } }
  }
  const all = loaded
  const rows = request.rows.map((row) => changedRow(all, row))
  const startedMs = performance.now()
  await (request.verb === 'update' ? peer.update(rows) : peer.remove(rows))
  return { changed: { tookMs: performance.now() - startedMs } }
}

/** Fetching a peer's code is not part of building it. */
const builders: Readonly<Record<PeerName, () => Promise<(records: Records) => Peer | Promise<Peer>>>> = {
  minisearch: async () => (records) => createMiniSearch(records, 'all'),
  'minisearch-content': async () => (records) => createMiniSearch(records, 'content'),
  'minisearch-stems': async () => (records) => createMiniSearch(records, 'stems'),
  orama: async () => {
    const orama = await import('@orama/orama')
    return (records) => createOrama(orama, records, 'all')
  },
  'orama-content': async () => {
    const orama = await import('@orama/orama')
    return (records) => createOrama(orama, records, 'content')
  },
  zbsearch: async () => {
    const zbsearch = await import('zbsearch')
    return (records) => createOrama(zbsearch, records, 'all')
  },
  'zbsearch-content': async () => {
    const zbsearch = await import('zbsearch')
    return (records) => createOrama(zbsearch, records, 'content')
  },
  hnswlib: async () => (await import('./hnswlib.ts')).createHnswlib,
  edgevec: async () => (await import('./edgevec.ts')).createEdgeVec,
  voy: async () => (await import('./voy.ts')).createVoy,
  pglite: async () => (await import('./pglite.ts')).createPglite,
  'sqlite-vec': async () => (await import('./sqlite-vec.ts')).createSqliteVec,
}
