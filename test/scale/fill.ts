/** Measures how fast all stores are filled, what a record costs on disk and in the log, and single puts. */
import type { Random } from '../support/data/random.ts'
import { type Cluster, call, schema } from './cluster.ts'
import { percentiles, print, timed } from './report.ts'
import { recordOf, tenants } from './tenants.ts'

export async function fill(cluster: Cluster, random: Random): Promise<void> {
  const node = await cluster.openNode({ openStores: 8 })
  const [started, wal] = [performance.now(), await cluster.walBytes()]
  let records = 0
  for (const tenant of tenants)
    for (let from = 0; from < tenant.records; from += 500) {
      const batch = Array.from({ length: Math.min(500, tenant.records - from) }, (_, i) =>
        recordOf(random, `r${from + i}`),
      )
      await call(node, tenant.name, 'put', { batch })
      records += batch.length
    }
  const seconds = (performance.now() - started) / 1_000
  const [{ table }] = await cluster.rows<{ table: string }>(
    `SELECT pg_total_relation_size('${schema}.blocks') AS table`,
  )
  const bytesARecord = Number(table) / records
  const walBytesARecord = ((await cluster.walBytes()) - wal) / records
  print('fill', { records, perSecond: records / seconds, walBytesARecord })
  print('rows', {
    bytesARecord,
    gigabytesAMillionStoresOfThousand: bytesARecord,
    gigabytesAMillionStoresOfTwenty: bytesARecord / 50,
  })
  const puts: number[] = []
  const before = await cluster.walBytes()
  for (let i = 0; i < 200; i++)
    puts.push(await timed(() => call(node, tenants[0]!.name, 'put', { batch: [recordOf(random, `p${i}`)] })))
  print('one put', { ...percentiles(puts), walKilobytes: ((await cluster.walBytes()) - before) / 200 / 1_024 })
  await node.close()
}
