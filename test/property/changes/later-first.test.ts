/**
 * [H1] [S4] Checks the order of changed statements in random stores against the ranking without changes: what a larger limit gives, what
 * comes before what, and that other records keep their order. The rule is read from the words of the law, not from the engine's code.
 */
import { describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Hit } from '../../../src/core/model/result.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'

const window = 10
const people = ['Anna', 'Ben', 'Nadia']
const towns = ['Berlin', 'Hamburg', 'Turin', 'Ghent', 'Porto', 'Lyon']
const rest = ['where people live', 'a live concert in Berlin', 'Anna likes trains', 'the town where Ben was born']
const questions = ['where does Anna live?', 'where does Ben live now?', 'people who live in Berlin', '']

function randomStore(random: Random, size: number): RecordInput[] {
  return Array.from({ length: size }, (_, i): RecordInput => {
    const [person, town] = [random.pick(people), random.pick(towns)]
    const said = random.pick([
      `${person} lives in ${town}.`,
      `${person} moved to ${town}.`,
      `${person} no longer lives in ${town}.`,
      `${random.pick(rest)} ${'and so on '.repeat(random.below(4))}`,
    ])
    const at = startOfTime + random.below(size) * 86_400_000
    return {
      id: `${random.pick(['a', 'z'])}${i}`,
      body: random.below(8) === 0 ? `${person} lives in Berlin.` : said,
      supersededBy: random.below(9) === 0 ? `${random.pick(['a', 'z'])}${random.below(size)}` : null,
      createdAt: at,
      updatedAt: at,
    }
  })
}

const idsOf = (hits: readonly Hit[]) => hits.map(({ id }) => id)

/** What the law forbids in an answer, in words. */
function faults(asked: readonly string[], plain: readonly string[], hits: readonly Hit[], named: Map<string, string>) {
  const found: string[] = []
  const place = new Map(asked.map((id, i) => [id, i]))
  const rank = new Map(plain.map((id, i) => [id, i]))
  const rising = new Set(hits.flatMap(({ changes = [] }) => changes.map(({ later }) => later)))
  const still = plain.filter((id) => !rising.has(id) && place.has(id))
  const kept = asked.filter((id) => !rising.has(id))
  if (kept.join() !== still.join()) found.push('a record without a change has moved')
  for (const [earlier, later] of named) {
    const loops = named.get(later) !== undefined
    if (!loops && place.has(earlier) && place.has(later) && place.get(later)! > place.get(earlier)!)
      found.push(`${later}, which supersedes ${earlier}, is behind it`)
  }
  // A record that rose by its name may leave behind others that replace it.
  const lifted = new Set(named.values())
  for (const { changes = [] } of hits)
    for (const { earlier, later } of changes) {
      const [a, b] = [place.get(earlier), place.get(later)]
      // What rose before the earlier one takes no place of the ranking.
      const rose = asked.slice(0, a).filter((id) => rising.has(id)).length
      const isFar = (rank.get(later) ?? Infinity) - (a ?? 0) + rose > window
      if (
        a !== undefined &&
        b !== undefined &&
        b > a &&
        !isFar &&
        named.get(later) === undefined &&
        !lifted.has(earlier)
      )
        found.push(`${later}, which replaces ${earlier}, is behind it`)
    }
  return found
}

describe.each(Array.from({ length: 12 }, (_, i) => 4100 + i))('a random store of statements, seed %i', (seed) => {
  it('[H1] [S4] the later first, scores in order, and a larger limit only appends', async () => {
    const random = createRandom(seed)
    const { call } = await openEngine()
    const batch = randomStore(random, 25 + random.below(40))
    const ids = new Set(batch.map(({ id }) => id))
    await call('put', { batch, findContradictions: false })
    const named = new Map(
      batch.flatMap(({ id, supersededBy = null }) =>
        supersededBy === null || !ids.has(supersededBy) || supersededBy === id ? [] : [[id!, supersededBy] as const],
      ),
    )
    let changed = 0
    for (const text of questions) {
      for (const collapse of ['none', 'exact', 'near'] as const) {
        const query: RecallQuery = { text, collapse }
        const { hits: most } = await call('recall', { query: { ...query, limit: 1000 } })
        const { hits: plain } = await call('recall', { query: { ...query, limit: 1000, changes: 'off' } })
        const what = `${text}, ${collapse}`
        const unfound = idsOf(most).filter((id) => !idsOf(plain).includes(id) && [...named.values()].includes(id))
        expect(
          [...idsOf(plain), ...unfound].every((id) => idsOf(most).includes(id)),
          what,
        ).toBe(true)
        expect(faults(idsOf(most), idsOf(plain), most, named), what).toEqual([])
        const scores = most.map(({ score }) => score)
        expect(scores, what).toEqual(scores.toSorted((a, b) => b - a))
        for (const { score, contributions } of most)
          expect(
            contributions.reduce((sum, { amount }) => sum + amount, 0),
            what,
          ).toBe(score)
        for (const limit of [1, 2, 3, 5, 8, 13, 21])
          expect((await call('recall', { query: { ...query, limit } })).hits, `${what}, ${limit}`).toEqual(
            most.slice(0, limit),
          )
        for (const offset of [1, 4, 9])
          expect((await call('recall', { query: { ...query, limit: 4, offset } })).hits, what).toEqual(
            most.slice(offset, offset + 4),
          )
        if (idsOf(most).join() !== idsOf(plain).join()) changed++
      }
    }
    expect(changed).toBeGreaterThan(0)
  })
})

it('[H1] control: the ranking without changes has faults', async () => {
  const { call } = await openEngine()
  let count = 0
  for (let seed = 4100; seed < 4110; seed++) {
    const batch = randomStore(createRandom(seed), 40)
    const fresh = batch.map((record) => ({
      ...record,
      id: `${record.id}.${seed}`,
      supersededBy: null,
      project: `${seed}`,
    }))
    await call('put', { batch: fresh })
    const query = { text: 'where does Anna live?', scope: { project: `${seed}` }, limit: 1000 }
    const { hits } = await call('recall', { query })
    const { hits: plain } = await call('recall', { query: { ...query, changes: 'off' as const } })
    const withChanges = plain.map((hit) => hits.find(({ id }) => id === hit.id)!)
    count += faults(idsOf(plain), idsOf(plain), withChanges, new Map()).length
  }
  expect(count).toBeGreaterThan(5)
})
