/**
 * Simulates a cluster in one process: tenants with Zipf access, nodes with engines of their own, one PostgreSQL that syncs, and a transport that
 * cuts, delays and repeats statements. Prints the figures of docs/scale.md.
 *
 *     npm run scale -- --small 400 --large 8 --nodes 4 --threads 0 --clients 32 --seconds 20 --seed 1
 *
 * `--cold .1` measures only a load in which this share of the calls opens a store; with `--files 1` from a file instead of rows.
 */
import { createRandom } from '../support/data/random.ts'
import { openCluster } from './cluster.ts'
import { faults } from './faults.ts'
import { fill } from './fill.ts'
import { hotStore } from './hot-store.ts'
import { load } from './load.ts'
import { openings } from './openings.ts'
import { options } from './options.ts'
import { largeRecords, smallRecords, tenants } from './tenants.ts'

const { small, large, nodes, threads, clients, seed, cold, files } = options
const random = createRandom(seed)
const cluster = await openCluster()
try {
  console.log(
    `tenants: ${small} of ${smallRecords}, ${large} of ${largeRecords}; ${nodes} nodes with ${threads} threads, ${clients} clients, seed ${seed}`,
  )
  await fill(cluster, random)
  /** As many stores as nodes with the default of `openStores` hold. */
  const most = 200 * nodes
  const share = (part: number, least: number) => Math.min(most, Math.max(least, Math.ceil(tenants.length / part)))
  if (Number.isNaN(cold)) {
    await openings(cluster, random)
    if (tenants.length <= most) await load(cluster, random, 'all warm', { fitting: tenants.length })
    const fitting = share(10, 4)
    await load(cluster, random, `${fitting} of ${tenants.length} stores fit`, { fitting })
    await load(cluster, random, `${fitting} of ${tenants.length} stores fit, others in files`, {
      fitting,
      hasCache: true,
    })
    await hotStore(cluster, random)
    await faults(cluster, random)
  } else {
    await load(cluster, random, `${100 * cold} % cold`, { fitting: share(4, nodes), hasCache: files > 0, cold })
  }
} finally {
  await cluster.close()
}
