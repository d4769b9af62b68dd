/** Checks the bounds by which the vector channel chooses the records that are read, against exact cosines. */
import { expect, test } from 'vitest'
import { keySetOf } from '../../../src/core/collections/key-set.ts'
import type { RetrievalPorts } from '../../../worker/retrieval/question/ports.ts'
import { vectorChannel } from '../../../worker/retrieval/channels/vector.ts'
import type { Question } from '../../../worker/retrieval/question/question.ts'
import { emptyIndex, exactCosineOf, fill, plainRecords, plainVector, seeded } from './vector-fixture.ts'

test('[V1] no cosine is above its bound, and a record without a vector can have none', () => {
  const random = seeded(11)
  const records = plainRecords(random, 300, 16)
  const index = emptyIndex(16)
  fill(index, records)
  const everyKey = { keys: Uint32Array.from([...records.keys(), 1_000]), bits: new Uint32Array() }
  const store = {
    space: () => ({ name: 'test', dimensions: 16 }),
    statistics: () => ({ records: everyKey.keys.length, tokens: 0 }),
    everyKey: () => everyKey,
    lacking: () => ({ pending: 0, otherSpaces: 0, none: 1 }),
  }
  const query = plainVector(random, 16)
  const plan = {
    vector: query,
    policy: { depths: { vector: 1_000 } },
    needs: { allMatches: true },
    query: {},
    scope: {},
  }
  const question = {
    plan,
    store,
    scope: null,
    parts: { filtered: new Set(), filteredKeys: keySetOf(new Uint32Array(0), 0), excluded: new Map(), files: null },
  }
  const { upperOf } = vectorChannel(
    question as unknown as Question,
    { index, options: {} } as unknown as RetrievalPorts,
    10,
    () => [],
  )
  const keys = [...records.keys()]
  const uppers = [...upperOf(keys)]
  const exact = keys.map((key) => exactCosineOf(query, records, key))
  for (const [i, cosine] of exact.entries()) expect(uppers[i]).toBeGreaterThanOrEqual(cosine)
  // Near enough to choose by.
  expect(Math.max(...exact.map((cosine, i) => uppers[i]! - cosine))).toBeLessThan(0.05)
  expect([...upperOf([1_000])]).toEqual([Number.NEGATIVE_INFINITY])
  // control: the estimates themselves are not bounds.
  const { estimates } = index.estimate(query, Uint32Array.from(keys))
  expect(exact.filter((cosine, i) => cosine > estimates[i]!).length).toBeGreaterThan(50)
})
