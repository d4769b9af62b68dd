/** Measures how fast stores are filled, what a record costs on disk and in the log, and single puts. Of many small stores most are copies. */
import type { Random } from '../support/data/random.ts'
import { type Cluster, call, schema } from './cluster.ts'
import { percentiles, print, timed } from './report.ts'
import { recordOf, smallRecords, type Tenant, tenants } from './tenants.ts'

/** How many small stores an engine fills. */
const mostFilled = 1_000

export async function fill(cluster: Cluster, random: Random): Promise<void> {
  const isSmall = ({ records }: Tenant) => records === smallRecords
  const [small, large] = [tenants.filter(isSmall), tenants.filter((tenant) => !isSmall(tenant))]
  const node = await cluster.openNode({ openStores: 8 })
  const [started, wal] = [performance.now(), await cluster.walBytes()]
  let records = 0
  for (const tenant of [...large, ...small.slice(0, mostFilled)])
    for (let from = 0; from < tenant.records; from += 500) {
      const batch = Array.from({ length: Math.min(500, tenant.records - from) }, (_, i) =>
        recordOf(random, `r${from + i}`),
      )
      await call(node, tenant.name, 'put', { batch })
      records += batch.length
    }
  const filled = records
  const seconds = (performance.now() - started) / 1_000
  const walBytesARecord = ((await cluster.walBytes()) - wal) / records
  for (let from = mostFilled; from < small.length; from += mostFilled) {
    const copies = small.slice(from, from + mostFilled)
    await cluster.copy(small.slice(0, copies.length), copies)
    records += copies.length * smallRecords
  }
  const [{ table }] = await cluster.rows<{ table: string }>(
    `SELECT pg_total_relation_size('${schema}.blocks') AS table`,
  )
  const bytesARecord = Number(table) / records
  print('fill', { records, perSecond: filled / seconds, walBytesARecord })
  print('rows', {
    bytesARecord,
    gigabytesAMillionStoresOfThousand: bytesARecord,
    gigabytesAMillionStoresOfTwenty: bytesARecord / 50,
  })
  const puts: number[] = []
  const before = await cluster.walBytes()
  for (let i = 0; i < 200; i++)
    puts.push(
      await timed(() => call(node, (large[0] ?? small[0]!).name, 'put', { batch: [recordOf(random, `p${i}`)] })),
    )
  print('one put', { ...percentiles(puts), walKilobytes: ((await cluster.walBytes()) - before) / 200 / 1_024 })
  await node.close()
}
