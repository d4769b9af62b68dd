/** The page's side of a peer: one worker, one request at a time. */
import type { Contender } from './contender.ts'
import type { PeerName } from './peer-table.ts'
import type { PeerReply, PeerRequest } from './peers/peer.ts'

export async function buildPeer(
  peer: PeerName,
  collection: string,
): Promise<{ readonly contender: Contender; readonly buildMs: number }> {
  const worker = new Worker(new URL('./peers/worker.ts', import.meta.url), { type: 'module' })
  const reply = await request(worker, { verb: 'build', peer, collection })
  if (!('built' in reply)) throw new Error(`${peer} built nothing`)
  const contender: Contender = {
    async ask(ask) {
      const answer = await request(worker, { verb: 'ask', ask: { ...ask, vector: ask.vector.slice() } })
      if (!('answered' in answer)) throw new Error(`${peer} gave no answer`)
      return answer.answered
    },
    async change(verb, rows) {
      if (verb === 'supersede') throw new Error(`${peer} keeps no status of a record`)
      const answer = await request(worker, { verb, rows })
      if (!('changed' in answer)) throw new Error(`${peer} changed nothing`)
      return answer.changed.tookMs
    },
    async setEf(ef) {
      const answer = await request(worker, { verb: 'ef', ef })
      if (!('changed' in answer)) throw new Error(`${peer} has no ef`)
      return answer.changed.tookMs
    },
    async wasmBytes() {
      const answer = await request(worker, { verb: 'wasm' })
      return 'wasm' in answer ? answer.wasm.bytes : null
    },
    leave: async () => worker.terminate(),
  }
  return { contender, buildMs: reply.built.buildMs }
}

function request(worker: Worker, message: PeerRequest): Promise<PeerReply> {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || 'the worker of a peer failed'))
    worker.onmessage = ({ data }: MessageEvent<PeerReply>) => {
      if ('error' in data) reject(new Error(data.error))
      else resolve(data)
    }
    worker.postMessage(message)
  })
}
