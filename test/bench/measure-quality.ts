/** nDCG@10 of every contender on judged questions, through the same page: no speed is claimed without it. */
import { mean, scoreRanking } from '../quality/metrics.ts'
import type { JudgedCollection } from './collections.ts'
import { ours } from './measure-ours.ts'
import { inFreshBrowser, peerModes } from './measure-peers.ts'
import type { BenchApi, Mode, PeerName } from './page/bench-api.ts'
import type { QualityResult } from './results.ts'

export async function measureQuality(
  url: string,
  collection: JudgedCollection,
  peers: readonly PeerName[],
  say: (line: string) => void,
): Promise<QualityResult> {
  const rows: QualityResult['rows'][number][] = []
  const rank = async (bench: BenchApi, contender: string, modes: readonly Mode[]) => {
    for (const mode of modes) {
      const { ndcg } = scoreOf(await bench.rank({ mode }), collection)
      rows.push({ contender, mode, ndcg })
      say(`${collection.name}, ${contender}, ${mode}: nDCG@10 ${ndcg.toFixed(3)}`)
    }
  }
  await inFreshBrowser(url, async ({ bench }) => {
    await bench.use({ collection: collection.name })
    await bench.fill({ batches: [{ batchSize: 1000, upTo: collection.records.length }] })
    await bench.open({})
    await rank(bench, ours, ['lexical', 'vector', 'hybrid'])
    await bench.leave({})
    for (const peer of peers) {
      await bench.build({ peer })
      await rank(bench, peer, peerModes[peer])
      await bench.leave({})
    }
  })
  return { set: collection.name, records: collection.records.length, questions: collection.questions.length, rows }
}

function scoreOf(rankings: readonly (readonly string[])[], { judgements }: JudgedCollection) {
  return mean(rankings.map((ids, i) => scoreRanking(ids, judgements[i] ?? new Map())))
}
