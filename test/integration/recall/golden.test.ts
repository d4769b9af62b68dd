/**
 * [D1] Compares the answers of the golden store byte for byte: the same hashes in the engine, through the public
 * client, and in browsers.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { precomputed } from '../../../src/embedders/index.ts'
import { openRecall } from '../../../src/index.ts'
import {
  type GoldenStore,
  goldenBytes,
  goldenLines,
  goldenNow,
  goldenQueries,
  goldenSpace,
} from '../../support/stores/golden-store.ts'
import { openEngine } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'

const golden = readFileSync(new URL('../../golden/recall.sha256', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

async function openGolden(open: typeof openEngine = openEngine): Promise<GoldenStore> {
  const { call } = await open({ space: goldenSpace })
  return {
    put: (batch) => call('put', { batch }, goldenNow),
    forget: (ids) => call('forget', { ids }, goldenNow),
    recall: (query) => call('recall', { query }, goldenNow),
  }
}

describe('the golden store', () => {
  it('[D1] gives the golden bytes', async () => {
    expect(await goldenLines(await openGolden())).toEqual(golden)
  })

  it('[D1] gives the golden bytes through the public client', async () => {
    const { name, dimensions } = goldenSpace
    const recall = await openRecall({ name: 'golden', embedder: precomputed(dimensions, name), now: () => goldenNow })
    const store: GoldenStore = {
      put: (records) => recall.put(records),
      forget: (ids) => recall.forget(ids),
      recall: (query) => recall.recall(query),
    }
    expect(await goldenLines(store)).toEqual(golden)
    await recall.close()
  })

  it('[V3] gives the golden bytes after all derived data is rebuilt', async () => {
    const first = await openOver({ space: goldenSpace })
    await goldenLines({
      put: (batch) => first.call('put', { batch }, goldenNow),
      forget: (ids) => first.call('forget', { ids }, goldenNow),
      recall: (query) => first.call('recall', { query }, goldenNow),
    })
    const again = first.reopen()
    const nothing = async () => undefined
    const lines = goldenLines({
      put: nothing,
      forget: nothing,
      recall: (query) => again.call('recall', { query }, goldenNow),
    })
    expect(await lines).toEqual(golden)
  })

  it('[D1] has useful questions: most have hits, and no two the same answer', async () => {
    const store = await openGolden()
    await goldenLines(store)
    const answers = await Promise.all(goldenQueries().map(([, query]) => store.recall(query)))
    expect(answers.filter(({ hits }) => hits.length > 0).length).toBeGreaterThan(38)
    expect(new Set(golden.map((line) => line.slice(0, 64))).size).toBe(golden.length)
  })

  it('[D1] control: one bit of one score changes the bytes', async () => {
    const store = await openGolden()
    await goldenLines(store)
    const result = await store.recall({ text: 'acorn' })
    const [first, ...rest] = result.hits
    if (first === undefined) throw new Error('no hits to change')
    const changed = { ...result, hits: [{ ...first, score: first.score * (1 + Number.EPSILON) }, ...rest] }
    expect(goldenBytes(changed)).not.toBe(goldenBytes(result))
    expect(goldenBytes({ ...result, tookMs: 5 })).toBe(goldenBytes(result))
  })
})
