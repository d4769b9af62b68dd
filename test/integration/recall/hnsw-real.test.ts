/**
 * [V2] Measures HNSW on real vectors: MiniLM vectors of 5,882 turns of dialogue, with real questions. Skipped without
 * the set (SCRUBJAY_EVAL_DATA), in CI too: the set is not part of the project.
 */
import { describe, expect, test } from 'vitest'
import { createGraph, type Graph } from '../../../worker/vector/hnsw/graph.ts'
import { createGraphIndex, unit } from '../../../worker/vector/hnsw/graph-index.ts'
import { openHnswlib } from '../../../worker/vector/hnsw/hnswlib.ts'
import { encodeVector } from '../../../worker/vector/quantise.ts'
import { dimensions, loadDataset } from '../../quality/datasets.ts'
import { bruteForce, emptyIndex } from '../../unit/vector/vector-fixture.ts'

const asked = 100
const vectors = loadDataset('locomo')?.minilm ?? null

if (vectors === null)
  test('locomo is not in the folder of SCRUBJAY_EVAL_DATA, so this is skipped', ({ skip }) => skip('no data'))
else
  describe('vectors of real texts', () => {
    const rows = (all: Float32Array) =>
      Array.from({ length: all.length / dimensions }, (_, row) => all.slice(row * dimensions, (row + 1) * dimensions))
    const records = new Map(rows(vectors.documents).map((vector, row) => [row + 1, [vector]]))
    const every = rows(vectors.questions)
    const questions = Array.from(
      { length: asked },
      (_, i) => every[Math.floor((i * every.length) / asked)] as Float32Array,
    )
    const wanted = questions.map((question) => bruteForce(question, records, 10))
    const recall = (proposed: readonly (readonly number[])[]) =>
      wanted.flatMap((keys, i) => keys.filter((key) => proposed[i]?.includes(key))).length / (asked * 10)

    test('[V2] finds at least 98 of 100 of the ten nearest; control: with a search width of ten it does not', async () => {
      const exact = emptyIndex(dimensions)
      const graph: Graph = createGraph(await openHnswlib(), dimensions, records.size)
      const index = createGraphIndex({
        exact,
        vectorsOf: (key, visit) => records.get(key)?.forEach(visit),
        schedule: () => undefined,
        fail: (error) => {
          throw error
        },
      })
      for (const [key, chunks] of records) exact.add(key, chunks.map(encodeVector))
      index.begin(graph, new Uint32Array(), Uint32Array.from(records.keys()))
      index.grow(records.size)
      const scans = questions.map((question) => index.scan(question, null, 10))
      expect(new Set(scans.map(({ mode }) => mode))).toEqual(new Set(['hnsw']))
      const found = recall(scans.map(({ keys, tied }) => [...keys, ...tied]))
      process.stdout.write(`hnsw on ${records.size} MiniLM vectors: recall@10 ${found}\n`)
      expect(found).toBeGreaterThanOrEqual(0.98)
      const hasty = questions.map((question) => graph.nearest(unit(question), 10).map((label) => label + 1))
      expect(recall(hasty)).toBeLessThan(0.98)
    }, 120_000)
  })
