/**
 * Compares Popoto's memory under `assemble`, docs/spec/learning.md#learning and #context-packages, with an oracle: random lives
 * of small stores. 1,000 assemblies, their records, scores and what surfaced; between them records come and go, are
 * linked and acknowledged.
 */
import { describe, expect, it } from 'vitest'
import type { ContextPackage } from '../../src/core/model/assemble.ts'
import type { Outcome } from '../../src/core/model/learned.ts'
import type { CompositePolicy } from '../../src/core/model/policy.ts'
import { popoto } from '../../src/core/policies/popoto.ts'
import { openRecall, type Recall } from '../../src/index.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { sized } from '../support/data/sized.ts'
import { type Asked, type Assembled, PopotoOracle } from '../support/oracles/popoto.ts'
import { dayMs } from '../support/oracles/random-store.ts'

const words = ['alpha', 'beta', 'wren', 'nest', 'acorn']
const tags = ['home', 'work']
const outcomes: readonly Outcome[] = ['acted', 'used', 'dismissed', 'deferred', 'contradicted']
const start = Date.UTC(2026, 4, 1)
const lives = sized(20)
const stepsEach = 50

describe('popoto', () => {
  let total = 0
  it.each(Array.from({ length: lives }, (_, i) => 9100 + i))('lives as the oracle says (seed %i)', async (seed) => {
    const { wrong, steps } = await live(seed, new PopotoOracle())
    expect(wrong).toEqual([])
    total += steps
  })

  it('assembled often enough', () => {
    // The mean of few lives varies more.
    expect(total).toBeGreaterThanOrEqual(lives * (lives < 20 ? 30 : 40))
  })

  it.each([
    [
      'discards no read that was deferred',
      (oracle: PopotoOracle) =>
        Object.assign(oracle, {
          learn(answer: Assembled, told: Readonly<Record<string, Outcome>>, at: number, isCommitted: boolean) {
            const kept = Object.fromEntries(answer.ids.map((id) => [id, told[id] ?? 'used']))
            PopotoOracle.prototype.learn.call(oracle, answer, kept, at, isCommitted)
          },
        }),
    ],
    ['forgets no link', (oracle: PopotoOracle) => Object.assign(oracle, { link: () => undefined })],
    ['learns nothing', (oracle: PopotoOracle) => Object.assign(oracle, { learn: () => undefined })],
    [
      'does not wait for what is due',
      (oracle: PopotoOracle) =>
        Object.assign(oracle, {
          assemble: (asked: Asked) => PopotoOracle.prototype.assemble.call(oracle, { ...asked, threshold: 0 }),
        }),
    ],
  ])('control: an oracle that %s disagrees', async (_name, change) => {
    let wrong = 0
    for (const seed of [9100, 9101, 9102]) wrong += (await live(seed, change(new PopotoOracle()))).wrong.length
    expect(wrong).toBeGreaterThan(0)
  })
})

/** Takes one store through all its steps; returns the wrong assemblies. */
async function live(seed: number, oracle: PopotoOracle) {
  const random = createRandom(seed)
  let now = start
  const store = await openRecall({
    name: `popoto ${seed}`,
    runtime: 'inline',
    storage: 'memory',
    embedder: null,
    policy: 'popoto',
    autoLink: false,
    now: () => now,
  })
  const wrong: unknown[] = []
  let count = 0
  let steps = 0
  const bring = async (many: number) => {
    for (let i = 0; i < many; i++) await putBoth(store, oracle, random, `m${count++}`, now)
  }
  await bring(3 + random.below(20))
  for (; steps < stepsEach; steps++) {
    now += random.pick([0, 1, 3_600_000, 7 * 3_600_000, dayMs, 9 * dayMs])
    const ids = [...oracle.memories.keys()]
    if (random.below(4) === 0) await bring(1 + random.below(3))
    if (random.below(8) === 0 && ids.length > 4) {
      const gone = random.pick(ids)
      await store.forget(gone)
      oracle.forget(gone)
    }
    for (let i = random.below(3); i > 0; i--) await linkBoth(store, oracle, random)
    const asked = randomQuestion(random, now)
    const expected = oracle.assemble(asked)
    if (expected.isUndecided) break
    const commitEffects = random.below(2) === 0
    const given = await store.assemble({
      commitEffects,
      cues: Object.fromEntries(asked.cues.map((cue, i) => [`cue ${i}`, cue])),
      ...(asked.tag === null ? {} : { scope: { tags: { all: [asked.tag] } } }),
      maxItems: asked.maxItems,
      surfacingThreshold: asked.threshold,
      propagationDepth: asked.depth,
    })
    if (!isSame(given, expected)) wrong.push({ steps, asked, given: summaryOf(given), expected })
    if (commitEffects) oracle.commit(expected)
    await learnBoth(store, oracle, random, given, expected, now, commitEffects)
    if (steps % 5 !== 4) continue
    const reads = await readsIn(store)
    const counted = [...oracle.memories.values()].map(({ id, reads: own }) => [id, own] as const)
    if (counted.some(([id, own]) => reads.get(id) !== own)) wrong.push({ steps, reads: [...reads], counted })
  }
  await store.destroy()
  return { wrong: wrong.slice(0, 2), steps }
}

async function putBoth(store: Recall, oracle: PopotoOracle, random: Random, id: string, now: number): Promise<void> {
  const updatedAt = now - random.pick([0, 0, 0.001, 0.5, 1, 30, 400]) * dayMs
  const record = {
    id,
    tags: random.shuffled(tags).slice(0, random.below(3)),
    importance: random.pick([1, 1, 0.5, 3, 0]),
    cycles: Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => ({
      periodSeconds: random.pick([86_400, 604_800, 3600]),
      amplitude: random.pick([0.5, 2, 0.005, 90]),
      phaseSeconds: random.below(90_000),
    })),
    pressureRate: random.pick([0, 0, 0, 0.1, 1]),
  }
  const own = random.shuffled(words).slice(0, 1 + random.below(2))
  // Ids contain no word of a question, so that only the body decides whether a cue is known.
  await store.put({ ...record, body: own.join(' '), createdAt: updatedAt, updatedAt })
  oracle.put({ ...record, words: own, updatedAt })
}

async function linkBoth(store: Recall, oracle: PopotoOracle, random: Random): Promise<void> {
  const [a, b] = random.shuffled([...oracle.memories.keys()])
  if (a === undefined || b === undefined) return
  const weight = random.pick([0.8, 0.5, 0.05, 1, 0.3])
  await store.link(a, b, weight)
  oracle.link(a, b, weight)
}

function randomQuestion(random: Random, now: number): Asked {
  return {
    cues: random.shuffled([...words, 'nowhere', 'never']).slice(0, random.below(3)),
    tag: random.pick([null, null, ...tags]),
    maxItems: random.pick([1, 2, 5, 10, 30]),
    threshold: random.pick([0.5, 0.5, 0, -1, 1.5]),
    depth: random.pick([0, 1, 2, 2, 3]),
    now,
  }
}

async function learnBoth(
  store: Recall,
  oracle: PopotoOracle,
  random: Random,
  given: ContextPackage,
  expected: Assembled,
  now: number,
  isCommitted: boolean,
): Promise<void> {
  if (random.below(3) === 0) return
  const told = Object.fromEntries(
    given.receipt.ids.filter(() => random.below(2) === 0).map((id) => [id, random.pick(outcomes)]),
  )
  await store.acknowledge(given.receipt, told)
  oracle.learn(expected, told, now, isCommitted)
}

/** Reads that count, by id: from a policy that scores by them alone. */
async function readsIn(store: Recall): Promise<ReadonlyMap<string, number>> {
  const weights = { decay: 0, cyclic: 0, confidence: 0, access: 1, priority: 0 }
  const policy: CompositePolicy = { ...popoto, fusion: { ...popoto.fusion, weights } }
  const { hits } = await store.recall({ policy, limit: 1000 })
  return new Map(hits.map(({ id, score }) => [id, score]))
}

function isSame(given: ContextPackage, { ids, proactive, scores }: Assembled): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))
  return (
    JSON.stringify(given.records.map(({ id }) => id)) === JSON.stringify(ids) &&
    JSON.stringify(given.proactive.map(({ id }) => id)) === JSON.stringify(proactive) &&
    ids.every((id) => near(given.metadata.scores[id] ?? Number.NaN, scores.get(id) ?? Number.NaN))
  )
}

function summaryOf({ records, proactive, metadata }: ContextPackage) {
  return { ids: records.map(({ id }) => id), proactive: proactive.map(({ id }) => id), scores: metadata.scores }
}
