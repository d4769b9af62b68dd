/**
 * Times the methods that browse, in Node over a store in memory: `npx tsx test/bench/measure-browsing.ts [records]`. The texts are those of
 * the bench; tags, kinds, dates and metadata are made up. Every call differs, so that no answer is remembered.
 */
import { openRecall } from '../../src/index.ts'
import { createRandom } from '../support/data/random.ts'
import { quantile } from '../torture/outcome.ts'
import { loadBenchData } from './records.ts'

const count = Number(process.argv[2] ?? 100_000)
const calls = 300
const pageSize = 50
const random = createRandom(1)
const { texts } = loadBenchData(count)
const words = [...new Set(texts.slice(0, 5000).flatMap((text) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []))]
const startMs = Date.UTC(2020, 0, 1)
const dayMs = 86_400_000

const recall = await openRecall({ storage: 'memory', embedder: null, metadataKeys: ['price', 'lang'] })
for (let from = 0; from < count; from += 1000)
  await recall.put(
    texts.slice(from, from + 1000).map((body, i) => ({
      id: `r${from + i}`,
      title: body.split(/\s+/).slice(0, 6).join(' '),
      body,
      kind: random.pick(['note', 'mail', 'page', 'chat']),
      tags: [`tag-${random.below(200)}`, `area-${random.below(10)}`],
      createdAt: startMs + random.below(2000 * 24) * (dayMs / 24),
      metadata: { price: random.below(1000), lang: random.pick(['en', 'de', 'fr']) },
    })),
  )

for (const by of ['title', 'createdAt', 'updatedAt', 'occurredAt'] as const) {
  for (const direction of ['asc', 'desc'] as const) {
    let cursor: string | null = null
    await time(`list by ${by}, ${direction}, page after page of ${pageSize}`, async () => {
      const page = await recall.list({
        order: { by, direction },
        limit: pageSize,
        ...(cursor === null ? {} : { cursor }),
      })
      cursor = page.nextCursor
    })
  }
}
await time('list by createdAt within a tag', () =>
  recall.list({
    order: { by: 'createdAt', direction: 'desc' },
    tags: { any: [`tag-${random.below(200)}`] },
    limit: pageSize,
  }),
)
await time('facets of kind, tags and metadata', () => recall.facets({ keys: ['kind', 'tags', 'metadata.lang'] }))
await time('facets of the records with a word', () =>
  recall.facets({ keys: ['kind', 'tags'], text: random.pick(words) }),
)
await time('facets within a tag', () =>
  recall.facets({ keys: ['kind', 'tags'], scope: { tags: { any: [`tag-${random.below(200)}`] } } }),
)
// The first suggestion of two letters reads all titles that begin with them.
await time('suggest, 2 to 6 letters', () => recall.suggest(random.pick(words).slice(0, 2 + random.below(5))))
await time('suggest within a tag', () =>
  recall.suggest(random.pick(words).slice(0, 2 + random.below(5)), {
    scope: { tags: { any: [`area-${random.below(10)}`] } },
  }),
)
await recall.close()

async function time(what: string, call: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < calls; i++) {
    const beganMs = performance.now()
    await call()
    times.push(performance.now() - beganMs)
  }
  const figure = (part: number) => quantile(times, part).toFixed(2)
  process.stdout.write(`${what}: p50 ${figure(0.5)} ms, p95 ${figure(0.95)} ms, first ${times[0]!.toFixed(1)} ms\n`)
}
