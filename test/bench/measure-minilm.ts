/**
 * `npx tsx test/bench/measure-minilm.ts [set]`: times all-MiniLM-L6-v2 in Chromium, by `transformersEmbedder` on
 * WebAssembly: from the text of a question to the ranked answer, embedding included, over 10,000 records; and whether
 * questions embedded in the browser rank as well as the set's own vectors do. Needs SCRUBJAY_TRANSFORMERS
 * (test/support/find-transformers.ts) and the sets.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mean, scoreRanking } from '../quality/measures/metrics.ts'
import { openBrowser } from '../support/browsers/browsers.ts'
import { findTransformers, noTransformers } from '../support/find-transformers.ts'
import { bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { judgedCollection, measuredCollection, writeCollection } from './collections.ts'
import { percentilesOf } from './results.ts'

interface Asked {
  /** ms from the text to the answer, one per question. */
  readonly tookMs: readonly number[]
  readonly embeddedIds: readonly (readonly string[])[]
  readonly givenIds: readonly (readonly string[])[]
}

const longestMs = 900_000
const timed = 200

const found = findTransformers()
if (found === null) throw new Error(noTransformers)
const sized = measuredCollection(10_000)
const judged = judgedCollection(process.argv[2] ?? 'scifact', 1)
const data = await mkdtemp(join(tmpdir(), 'scrubjay-minilm-'))
await writeCollection(data, sized)
await writeCollection(data, judged)
const bundled = await bundlePage(pageScript())
const modules = join(found.folder, 'node_modules')
const site = await serveFolder(bundled.folder, {
  mounts: {
    '/data': data,
    '/transformers': join(modules, '@huggingface/transformers/dist'),
    '/onnx': join(modules, 'onnxruntime-web/dist'),
    '/models': found.models,
  },
})
const browser = await openBrowser('chromium', { evaluateTimeoutMs: longestMs })
try {
  const page = await browser.page(`${site.url}/`)
  const ask = (collection: string, questions: number) =>
    page.evaluate<Asked>('(collection, questions) => window.ask(collection, questions)', collection, questions)
  const { p50, p95 } = percentilesOf([...(await ask(sized.name, timed)).tookMs])
  console.log(
    `text to ranked answer over 10,000 records, ${timed} questions, warm: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms`,
  )
  const { embeddedIds, givenIds } = await ask(judged.name, judged.questions.length)
  const ndcgOf = (answers: Asked['givenIds']) =>
    mean(answers.map((ids, i) => scoreRanking(ids, judged.judgements[i] ?? new Map()))).ndcg
  const [embedded, given] = [ndcgOf(embeddedIds), ndcgOf(givenIds)]
  console.log(
    `${judged.name}, ${judged.questions.length} questions, nDCG@10: embedded in the browser ${embedded.toFixed(4)}, given vectors ${given.toFixed(4)}, difference ${(embedded - given).toFixed(4)}`,
  )
} finally {
  await browser.close()
  await site.close()
  await bundled.remove()
  await rm(data, { recursive: true, force: true })
}

function pageScript(): string {
  return `
const at = (path) => new URL(path, location.href)
const bytesOf = async (path) => new Float32Array(await (await fetch(at(path))).arrayBuffer())
const jsonOf = async (path) => (await fetch(at(path))).json()

window.ask = async (name, count) => {
  const [records, questions] = [await jsonOf('/data/' + name + '/records.json'), await jsonOf('/data/' + name + '/questions.json')]
  const [vectors, asked] = [await bytesOf('/data/' + name + '/vectors.bin'), await bytesOf('/data/' + name + '/question-vectors.bin')]
  const rowOf = (all, row) => all.slice(row * 384, row * 384 + 384)
  const embedder = embedders.transformersEmbedder({
    model: 'minilm', dimensions: 384, library: at('/transformers/transformers.min.js'), wasmPath: at('/onnx/'), modelPath: at('/models/'), device: 'wasm',
  })
  const recall = await scrubjay.openRecall({ storage: 'memory', name, embedder })
  for (let from = 0; from < records.length; from += 1000) {
    await recall.put(records.slice(from, from + 1000).map(({ id, text, tags }, i) => ({ id, body: text, tags, vectors: rowOf(vectors, from + i) })))
  }
  const tookMs = []
  const [embeddedIds, givenIds] = [[], []]
  const idsOf = ({ hits }) => hits.map(({ id }) => id)
  const query = ({ text, tag }) => ({ text, collapse: 'none', limit: 10, ...(tag === null ? {} : { scope: { tags: { all: [tag] } } }) })
  for (const [i, question] of questions.slice(0, count).entries()) {
    // A text asked before its measurement would be a cached vector: the model warms up on other words.
    if (i < 5) await recall.recall({ text: 'warming up ' + i })
    const from = performance.now()
    const answer = await recall.recall(query(question))
    tookMs.push(performance.now() - from)
    embeddedIds.push(idsOf(answer))
    givenIds.push(idsOf(await recall.recall({ ...query(question), vector: rowOf(asked, i) })))
  }
  await recall.close()
  await embedder.close()
  return { tookMs, embeddedIds, givenIds }
}
`
}
