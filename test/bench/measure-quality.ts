/** Measures nDCG@10 of every contender on judged questions, through the same page: no speed is claimed without it. */
import { mean, scoreRanking } from '../quality/measures/metrics.ts'
import type { JudgedCollection } from './collections.ts'
import { ours } from './measure-ours.ts'
import { inFreshBrowser } from './measure-peers.ts'
import type { BenchSite } from './open-bench-page.ts'
import type { BenchApi, Mode } from './page/bench-api.ts'
import { type PeerName, traitsOf } from './page/peer-table.ts'
import type { QualityResult } from './results.ts'

export async function measureQuality(
  site: BenchSite,
  collection: JudgedCollection,
  peers: readonly PeerName[],
  say: (line: string) => void,
  onBrowser: (version: string) => void,
): Promise<QualityResult> {
  const rows: QualityResult['rows'][number][] = []
  const rank = async (bench: BenchApi, contender: string, modes: readonly Mode[]) => {
    for (const mode of modes) {
      const { ndcg } = scoreOf(await bench.rank({ mode, questions: collection.questions.length }), collection)
      rows.push({ contender, mode, ndcg })
      say(`${collection.name}, ${contender}, ${mode}: nDCG@10 ${ndcg.toFixed(3)}`)
    }
  }
  await inFreshBrowser(site, async ({ bench, version }) => {
    onBrowser(version)
    await bench.use({ collection: collection.name })
    await bench.fill({ batches: [{ batchSize: 1000, upTo: collection.records.length }], isSpread: false })
    await bench.open({})
    await rank(bench, ours, ['lexical', 'vector', 'hybrid'])
    await bench.leave({})
  })
  // Each in a browser of its own: memory left by one affects no other.
  for (const peer of peers) {
    await inFreshBrowser(site, async ({ bench }) => {
      await bench.use({ collection: collection.name })
      try {
        await bench.build({ peer })
        // A peer without scopes would be judged by questions it was not asked.
        if (collection.isScoped && !traitsOf(peer).hasScopes) return say(`${collection.name}, ${peer}: knows no scopes`)
        await rank(bench, peer, traitsOf(peer).modes)
      } catch (error) {
        say(`${collection.name}, ${peer}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`)
      }
    })
  }
  return { set: collection.name, records: collection.records.length, questions: collection.questions.length, rows }
}

function scoreOf(rankings: readonly (readonly string[])[], { judgements }: JudgedCollection) {
  return mean(rankings.map((ids, i) => scoreRanking(ids, judgements[i] ?? new Map())))
}
