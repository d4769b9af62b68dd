/** Measures calls of many clients: 80 % recalls and 20 % puts of one record. The tenant chooses the node, as in a proxy. */
import { createRandom, type Random } from '../support/data/random.ts'
import { type Cluster, call, type Node } from './cluster.ts'
import { options } from './options.ts'
import { percentiles, print, timed } from './report.ts'
import { queryOf, recordOf, tenants, zipf } from './tenants.ts'

export interface LoadOptions {
  /** How many stores all nodes together hold open. */
  readonly fitting: number
  /** The nodes keep files of closed stores. Default false. */
  readonly hasCache?: boolean
  /**
   * The share of calls that go to a store that its node has not open, each such store in its turn; the other calls go to open stores.
   * Default: the popularity of the tenants decides.
   */
  readonly cold?: number
}

/** How many stores are opened once before a load with files: more would take longer than the load. */
const mostCached = 5_000

export async function load(
  cluster: Cluster,
  random: Random,
  what: string,
  { fitting, hasCache = false, cold }: LoadOptions,
): Promise<void> {
  const openStores = Math.max(1, Math.ceil(fitting / options.nodes))
  const open = () => cluster.openNode({ openStores, hasCache })
  const nodes = await Promise.all(Array.from({ length: options.nodes }, open))
  const openStore = (at: number) => call(nodes[at % nodes.length]!, tenants[at]!.name, 'count', { scope: {} })
  const order = random.shuffled(tenants.map((_, at) => at))
  // The most popular stores were open once, as after a day; the least recently used comes last.
  if (hasCache) for (const at of order.slice(0, mostCached).toReversed()) await openStore(at)
  if (fitting >= tenants.length) for (const at of tenants.keys()) await openStore(at)
  const popular = zipf(order)
  const coldCalls =
    cold === undefined ? undefined : coldCallsOf({ cold, nodes: nodes.length, openStores, order, popular })
  if (coldCalls !== undefined)
    for (const at of order.slice(0, fitting)) {
      await openStore(at)
      coldCalls.touch(at)
    }
  const [recalls, puts]: [number[], number[]] = [[], []]
  const [started, opened] = [performance.now(), openedBy(nodes)]
  const end = started + options.seconds * 1_000
  const client = async (own: Random) => {
    while (performance.now() < end) {
      const at = coldCalls?.choose(own) ?? popular(own)
      coldCalls?.touch(at)
      const [node, { name }] = [nodes[at % nodes.length]!, tenants[at]!]
      const isRecall = own.below(5) > 0
      const ms = await timed(() =>
        isRecall
          ? call(node, name, 'recall', { query: queryOf(own) })
          : call(node, name, 'put', { batch: [recordOf(own, `n${own.below(1e9)}`)] }),
      )
      ;(isRecall ? recalls : puts).push(ms)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(Array.from({ length: options.clients }, (_, i) => client(createRandom(options.seed * 100 + i))))
  const seconds = (performance.now() - started) / 1_000
  const calls = recalls.length + puts.length
  print(what, {
    callsPerSecond: calls / seconds,
    recallsPerSecond: recalls.length / seconds,
    coldShare: (openedBy(nodes) - opened) / calls,
  })
  print('  recall', percentiles(recalls))
  print('  put', percentiles(puts))
  for (const node of nodes) await node.close()
}

interface ColdCalls {
  readonly cold: number
  readonly nodes: number
  readonly openStores: number
  readonly order: readonly number[]
  readonly popular: (own: Random) => number
}

/** Chooses tenants so that the given share of the calls opens a store. */
function coldCallsOf({ cold, nodes, openStores, order, popular }: ColdCalls) {
  const open = Array.from({ length: nodes }, () => new Set<number>())
  let turn = 0
  return {
    choose(own: Random): number {
      const isCold = own.next() < cold
      for (let attempt = 0; attempt < 1_000; attempt++) {
        const at = isCold ? turn++ % order.length : popular(own)
        if (open[at % nodes]!.has(at) !== isCold) return at
      }
      return order[0]!
    },
    /** Notes a call as the node does, which closes the store that was not used for longest. */
    touch(at: number): void {
      const stores = open[at % nodes]!
      stores.delete(at)
      stores.add(at)
      if (stores.size > openStores) stores.delete(stores.values().next().value!)
    },
  }
}

function openedBy(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + node.opened(), 0)
}
