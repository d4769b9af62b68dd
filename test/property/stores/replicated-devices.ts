/** Devices that replicate one store over a transport in memory. */
import { openRecall } from '../../../src/index.ts'
import { replicate, type Transport } from '../../../src/replicate/index.ts'

export const key = Uint8Array.from({ length: 32 }, (_, i) => i * 7)

let names = 0

/** Stores of one name are one store. */
export const openStore = () => openRecall({ name: `device-${names++}`, storage: 'memory', embedder: null })

export async function openDevice(transport: Transport) {
  const recall = await openStore()
  const start = () => replicate(recall, { transport, key, everyMs: null })
  return { recall, start, replication: start() }
}

export const nothing = { pulled: 0, pushed: 0, inserted: 0, updated: 0, forgotten: 0, conflicts: 0 }

export type Device = Awaited<ReturnType<typeof openDevice>>

export async function contentOf({ recall }: Device): Promise<string> {
  const { items } = await recall.list({ limit: 1000 })
  const links = await Promise.all(items.map(async ({ id }) => [id, await recall.linked(id)]))
  return JSON.stringify([items.toSorted((a, b) => (a.id < b.id ? -1 : 1)), Object.fromEntries(links)])
}
