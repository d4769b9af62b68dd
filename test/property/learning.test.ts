/**
 * [D3] Compares rows after random histories of outcomes, links, replacing puts and forgetting with a second
 * implementation of the formulas, step by step; and checks that answers do not depend on the detours of a store's
 * history.
 */
import { describe, expect, it } from 'vitest'
import type { LearnedState } from '../../src/core/learning/apply-outcome.ts'
import type { Outcome } from '../../src/core/model/learned.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { first } from '../../worker/sqlite/database.ts'
import { readLearned } from '../../worker/store/rows/learned/learned-rows.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { sizedSeeds } from '../support/data/sized.ts'
import { outcomeNames, strengthened, taught, untaught } from '../support/oracles/plain-learning.ts'
import { startOfTime } from '../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../support/stores/open-over.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const daily = { periodSeconds: 86_400, amplitude: 2, phaseSeconds: 0 }
const recordOf = (id: string, text = 'jay') => ({ id, body: `${text} ${id}`, cycles: id < 'c' ? [daily] : [] })

/** The learned state by the formulas. */
interface Model {
  readonly learned: Map<string, LearnedState>
  readonly links: Map<string, number>
}

describe.each(sizedSeeds(8201, 3))('history %i', (seed) => {
  it('leaves the rows that the formulas give', async () => {
    const opened = await openOver()
    const random = createRandom(seed)
    const model: Model = { learned: new Map(), links: new Map() }
    await opened.call('put', { batch: ids.map((id) => recordOf(id)) }, startOfTime)
    for (const id of ids) model.learned.set(id, untaught(recordOf(id).cycles.map(({ amplitude }) => amplitude)))
    for (let step = 1; step <= 60; step++) {
      await takeStep(opened, model, random, step)
      for (const id of ids) {
        const key = first(opened.database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0)) ?? -1
        expect(readLearned(opened.database, key), `seed ${seed}, step ${step}, ${id}`).toEqual(model.learned.get(id))
        const links = await opened.call('linked', { id })
        const expected = [...model.links].filter(([pair]) => pair.split(' ').includes(id)).map(([, weight]) => weight)
        expect(links.map(({ weight }) => weight)).toEqual(expected.sort((x, y) => y - x))
      }
    }
  })

  it.each([
    ['reads what was dismissed', (outcome: Outcome) => (outcome === 'dismissed' ? 'used' : outcome)],
    [
      'takes what is contradicted for dismissed',
      (outcome: Outcome) => (outcome === 'contradicted' ? 'dismissed' : outcome),
    ],
    ['believes what it should defer', (outcome: Outcome) => (outcome === 'deferred' ? 'acted' : outcome)],
  ] as const)('control: a model that %s disagrees', async (_name, hear) => {
    const opened = await openOver()
    const random = createRandom(seed)
    const model: Model = { learned: new Map(ids.map((id) => [id, untaught([])])), links: new Map() }
    await opened.call('put', { batch: ids.map((id) => ({ id, body: `jay ${id}` })) }, startOfTime)
    for (let step = 1; step <= 20; step++)
      for (const [id, outcome] of Object.entries(await tell(opened, random, startOfTime + step)))
        model.learned.set(id, taught(model.learned.get(id)!, hear(outcome), startOfTime + step))
    const rows = ids.map((id) => {
      const key = first(opened.database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0)) ?? -1
      return readLearned(opened.database, key)
    })
    expect(rows).not.toEqual(ids.map((id) => model.learned.get(id)))
  })

  it('[D3] gives answers that depend only on learned state', async () => {
    const [plain, detoured] = [await openOver(), await openOver()]
    const random = createRandom(seed)
    await plain.call('put', { batch: ids.map((id) => recordOf(id)) }, startOfTime)
    // Other texts first, in another order and one by one; then the right ones at the same time.
    for (const id of random.shuffled(ids)) await detoured.call('put', { batch: [recordOf(id, 'wrong')] }, startOfTime)
    await detoured.call('forget', { ids: ['a', 'd'] })
    await detoured.call('put', { batch: random.shuffled(ids).map((id) => recordOf(id)) }, startOfTime)
    for (const store of [plain, detoured]) {
      const told = createRandom(seed)
      for (let step = 1; step <= 20; step++) await tell(store, told, startOfTime + step)
    }
    const answer = async ({ call }: OpenedOver) => {
      const { tookMs: _tookMs, receipt, ...result } = await call('recall', { query: { text: 'jay' } }, startOfTime + 99)
      // Without the receipt's id: it covers the revision, which a detour raises.
      return canonicalJson({ ...result, digest: receipt.digest })
    }
    expect(await answer(detoured)).toBe(await answer(plain))
    for (const id of ids) expect(await detoured.call('linked', { id })).toEqual(await plain.call('linked', { id }))
    await detoured.call('acknowledge', { of: ['a'], outcomes: { a: 'contradicted' } })
    expect(await answer(detoured), 'control: one outcome more shows').not.toBe(await answer(plain))
  })
})

async function tell({ call }: OpenedOver, random: Random, at: number): Promise<Record<string, Outcome>> {
  const chosen = random.shuffled(ids).slice(0, 1 + random.below(3))
  const said = Object.fromEntries(chosen.map((id) => [id, random.pick(outcomeNames)]))
  await call('acknowledge', { of: chosen, outcomes: said }, at)
  return said
}

async function takeStep(opened: OpenedOver, { learned, links }: Model, random: Random, step: number): Promise<void> {
  const at = startOfTime + step
  const dice = random.next()
  const id = random.pick(ids)
  if (dice < 0.15) {
    // Another text moves the record to another key; learned state moves along, except for the decay clock.
    await opened.call('put', { batch: [recordOf(id, `text ${step}`)] }, at)
    learned.set(id, { ...learned.get(id)!, touchedAt: null })
  } else if (dice < 0.2) {
    await opened.call('forget', { ids: [id] }, at)
    await opened.call('put', { batch: [recordOf(id)] }, at)
    learned.set(id, untaught(recordOf(id).cycles.map(({ amplitude }) => amplitude)))
    for (const pair of links.keys()) if (pair.split(' ').includes(id)) links.delete(pair)
  } else {
    const said = await tell(opened, random, at)
    for (const [told, outcome] of Object.entries(said)) learned.set(told, taught(learned.get(told)!, outcome, at))
    const used = Object.keys(said).filter((told) => said[told] === 'used' || said[told] === 'acted')
    for (const x of used) for (const y of used) if (x < y) links.set(`${x} ${y}`, strengthened(links.get(`${x} ${y}`)))
  }
}
