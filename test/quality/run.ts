/**
 * `npm run quality [set …]`: runs the engine itself over the measuring sets, with precomputed MiniLM vectors, with the
 * built-in embedder, and by words alone, and prints nDCG@10 / Recall@10 beside the baselines of each set.
 */
import { staticEmbedder } from '../../src/embedders/index.ts'
import type { EmbeddingPort } from '../../src/protocol/engine-options.ts'
import { createEngine, type Engine } from '../../worker/engine.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { baselines } from './baselines.ts'
import { type Dataset, dataFolder, datasetNames, dimensions, loadDataset } from './datasets.ts'
import { mean, scoreRanking, type Scores } from './metrics.ts'

type Mode = 'minilm' | 'built-in' | 'vector' | 'lexical'

const now = Date.UTC(2026, 0, 1)
const context = { now }
const batchSize = 500

const wanted = process.argv.slice(2)
const embedder = staticEmbedder()
console.log(
  `| set | questions | ${['lexical', 'MiniLM alone', 'hybrid MiniLM', 'hybrid built-in', 'BM25', 'FTS5 bm25()', 'RRF 60', 'best convex'].join(' | ')} |`,
)
console.log(`|---|---|${'---|'.repeat(8)}`)
for (const name of wanted.length > 0 ? wanted : datasetNames) {
  const dataset = loadDataset(name)
  if (dataset === null) {
    console.log(`| ${name} | skipped: not in ${dataFolder.split('/').slice(-3).join('/')} |`)
    continue
  }
  const lexical = await measure(dataset, 'lexical')
  const vector = dataset.minilm === null ? null : await measure(dataset, 'vector')
  const minilm = dataset.minilm === null ? null : await measure(dataset, 'minilm')
  const builtIn = await measure(dataset, 'built-in')
  const known = baselines[name] ?? {}
  const cells = [lexical, vector, minilm, builtIn]
    .map(cell)
    .concat([known.bm25, known.fts5, known.rrf, known.convex].map((text) => text ?? '–'))
  console.log(`| ${name} | ${lexical.questions} | ${cells.join(' | ')} |`)
}

/** Loads the set into a fresh store and asks every judged question in its scope. */
async function measure(dataset: Dataset, mode: Mode): Promise<Scores> {
  const engine = await openFor(mode)
  const { minilm } = dataset
  const withVectors = mode === 'minilm' || mode === 'vector'
  for (let from = 0; from < dataset.documents.length; from += batchSize) {
    // A set may hold blank documents; the store refuses them, and no judgement names one.
    const batch = dataset.documents.slice(from, from + batchSize).flatMap((document, i) =>
      `${document.title}${document.text}`.trim() === ''
        ? []
        : {
            id: document.id,
            title: document.title || null,
            body: document.text,
            project: document.scope || null,
            session: document.session,
            position: document.position,
            ...(withVectors && minilm !== null ? { vectors: row(minilm.documents, from + i) } : {}),
          },
    )
    const receipt = await engine.call('put', { batch }, context)
    const rejected = receipt.records.find((record) => record.outcome === 'rejected')
    if (rejected !== undefined) throw new Error(`${dataset.name}: ${rejected.id} was rejected: ${rejected.message}`)
  }
  const scores: { ndcg: number; recall: number }[] = []
  for (const [i, question] of dataset.questions.entries()) {
    const grades = dataset.judgements.get(question.id)
    if (grades === undefined || ![...grades.values()].some((grade) => grade > 0)) continue
    const query = {
      ...(mode === 'vector' ? {} : { text: question.text }),
      ...(withVectors && minilm !== null ? { vector: row(minilm.questions, i) } : {}),
      ...(question.scope === '' ? {} : { scope: { project: question.scope } }),
      // Judgements name each copy of a text; folding them is measured elsewhere.
      collapse: 'none' as const,
    }
    const { hits } = await engine.call('recall', { query }, context)
    scores.push(
      scoreRanking(
        hits.map((hit) => hit.id),
        grades,
      ),
    )
  }
  await engine.call('close', {}, context)
  return mean(scores)
}

function openFor(mode: Mode): Promise<Engine> {
  const port: EmbeddingPort | null =
    mode === 'built-in' ? { embed: (texts, role) => embedder.embed(texts, role) } : null
  const space =
    mode === 'lexical'
      ? null
      : mode === 'built-in'
        ? { name: embedder.space, dimensions: embedder.dimensions }
        : { name: 'all-MiniLM-L6-v2', dimensions }
  return createEngine(
    {
      name: 'quality',
      storage: 'memory',
      runtime: 'inline',
      policy: policies.balanced,
      authority: null,
      stemmer: 'porter',
      metadataKeys: [],
      index: 'exact',
      space,
    },
    port,
  )
}

function row(vectors: Float32Array, i: number): Float32Array {
  return vectors.slice(i * dimensions, (i + 1) * dimensions)
}

function cell(scores: Scores | null): string {
  const figure = (value: number) => value.toFixed(3).replace(/^0/, '')
  return scores === null ? '–' : `${figure(scores.ndcg)} / ${figure(scores.recall)}`
}
