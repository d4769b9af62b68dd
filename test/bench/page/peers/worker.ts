/** The worker a peer lives in: builds one, then answers question after question. */
import { loadRecords } from '../load-collection.ts'
import { createMiniSearch } from './minisearch.ts'
import { createOrama } from './orama.ts'
import type { Peer, PeerReply, PeerRequest } from './peer.ts'
import type { PeerName } from '../bench-api.ts'
import type { Records } from '../load-collection.ts'

let peer: Peer | undefined

onmessage = async ({ data }: MessageEvent<PeerRequest>) => {
  const reply = await answer(data).catch((error: unknown): PeerReply => ({ error: String(error) }))
  postMessage(reply)
}

async function answer(request: PeerRequest): Promise<PeerReply> {
  if (request.verb === 'build') {
    const records = await loadRecords(request.collection)
    const startedMs = performance.now()
    peer = await builders[request.peer](records)
    return { built: { buildMs: performance.now() - startedMs } }
  }
  if (peer === undefined) throw new Error('nothing is built yet')
  const startedMs = performance.now()
  const found = peer.search(request.ask)
  return { answered: { ...found, tookMs: performance.now() - startedMs } }
}

const builders: Readonly<Record<PeerName, (records: Records) => Peer | Promise<Peer>>> = {
  minisearch: (records) => createMiniSearch(records, 'all'),
  'minisearch-content': (records) => createMiniSearch(records, 'content'),
  orama: (records) => createOrama(records, 'all'),
  'orama-content': (records) => createOrama(records, 'content'),
}
