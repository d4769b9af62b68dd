/** Measures how long a node takes to open a store and answer, from rows and from files, and the memory of an open store. */
import type { Random } from '../support/data/random.ts'
import { type Cluster, call } from './cluster.ts'
import { percentiles, print, timed } from './report.ts'
import { largeRecords, queryOf, smallRecords, tenants } from './tenants.ts'

export async function openings(cluster: Cluster, random: Random): Promise<void> {
  for (const records of [smallRecords, largeRecords]) {
    const some = tenants.filter((tenant) => tenant.records === records).slice(0, 20)
    if (some.length === 0) continue
    const node = await cluster.openNode({ openStores: tenants.length })
    global.gc?.()
    const before = process.memoryUsage()
    const times: number[] = []
    for (const { name } of some) times.push(await timed(() => call(node, name, 'recall', { query: queryOf(random) })))
    const after = process.memoryUsage()
    print(`cold opening of ${records} records, to the first answer`, {
      ...percentiles(times),
      megabytesAStore: (after.rss - before.rss) / some.length / 1e6,
    })
    await node.close()
    const cached = await cluster.openNode({ openStores: 1, hasCache: true })
    for (const { name } of some) await call(cached, name, 'count', { scope: {} })
    const again: number[] = []
    for (const { name } of some.slice(0, -1))
      again.push(await timed(() => call(cached, name, 'recall', { query: queryOf(random) })))
    print(`  the same from files`, percentiles(again))
    await cached.close()
  }
}
