/** Measures writes to one store from all nodes: the price of ignoring where a store is open. */
import type { Random } from '../support/data/random.ts'
import { type Cluster, call } from './cluster.ts'
import { options } from './options.ts'
import { print } from './report.ts'
import { recordOf } from './tenants.ts'

export async function hotStore(cluster: Cluster, random: Random): Promise<void> {
  for (const count of [1, options.nodes]) {
    const nodes = await Promise.all(Array.from({ length: count }, () => cluster.openNode({ openStores: 4 })))
    for (const node of nodes) await call(node, 'hot', 'count', { scope: {} })
    const end = performance.now() + Math.min(8_000, options.seconds * 500)
    const started = performance.now()
    let written = 0
    const writer = async (i: number) => {
      for (let n = 0; performance.now() < end; n++) {
        await call(nodes[i % count]!, 'hot', 'put', { batch: [recordOf(random, `h${count}-${i}-${n}`)] })
        written++
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, i) => writer(i)))
    const putsPerSecond = written / ((performance.now() - started) / 1_000)
    print(`hot store, 8 writers over ${count} nodes`, { putsPerSecond })
    for (const node of nodes) await node.close()
  }
}
