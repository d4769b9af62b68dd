/** Cuts, delays and repeats statements of writers, and looks for every acknowledged write in the rows. */
import type { BlockStore } from '../../src/protocol/blocks.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { type Cluster, request, schema } from './cluster.ts'
import { options } from './options.ts'
import { print } from './report.ts'
import { recordOf } from './tenants.ts'

/** One write in eight is cut before, cut after, delayed or repeated, and one pull in 32 is cut. The exit code is 1 if a write is lost. */
export async function faults(cluster: Cluster, random: Random): Promise<void> {
  const faulty = createRandom(options.seed + 1)
  const open = () => cluster.openNode({ openStores: 50, through: (blocks) => hurt(blocks, faulty) })
  const nodes = await Promise.all(Array.from({ length: options.nodes }, open))
  const acknowledged: (readonly [string, string])[] = []
  let refused = 0
  const writer = async (i: number) => {
    for (let n = 0; n < 25; n++) {
      const tenant = `fault-${(i + n) % 4}`
      const id = `f${i}-${n}`
      for (let attempt = 0; attempt < 10; attempt++) {
        const put = request('put', { batch: [recordOf(random, id)] }, `op-${i}-${n}`)
        const reply = await nodes[faulty.below(nodes.length)]!.call(tenant, put)
        if (reply.ok) {
          acknowledged.push([tenant, id])
          break
        }
        refused++
      }
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, i) => writer(i)))
  const found = await cluster.rows<{ tenant: string; id: string }>(
    `SELECT set_config('scrubjay.tenant', t.n, true), t.n AS tenant, (SELECT string_agg(convert_from(b.id, 'UTF8'), ' ') FROM ${schema}.pull(t.n, 0, '{}', '{}') b WHERE b.kind = 1 AND b.frames IS NOT NULL) AS id
      FROM unnest(ARRAY['fault-0', 'fault-1', 'fault-2', 'fault-3']) AS t (n)`,
  )
  const stored = new Set(found.flatMap(({ tenant, id }) => (id ?? '').split(' ').map((one) => `${tenant} ${one}`)))
  const lost = acknowledged.filter(([tenant, id]) => !stored.has(`${tenant} ${id}`))
  print('faults', { acknowledged: acknowledged.length, refusedAndRepeated: refused, lost: lost.length })
  if (lost.length > 0) process.exitCode = 1
  for (const node of nodes) await node.close()
}

function hurt(blocks: BlockStore, faulty: Random): BlockStore {
  return {
    ...blocks,
    async ship(changes) {
      const fault = faulty.below(32)
      if (fault === 0) throw new Error('cut before')
      if (fault === 1) await new Promise((resolve) => setTimeout(resolve, 20))
      if (fault === 2) await blocks.ship(changes)
      const written = await blocks.ship(changes)
      if (fault === 3) throw new Error('cut after')
      return written
    },
    async pull(after, keys) {
      if (faulty.below(32) === 0) throw new Error('pull cut')
      return blocks.pull(after, keys)
    },
  }
}
