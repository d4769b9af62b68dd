/**
 * [A2] Tests random stores of derivations, tiers, banks, patches, imports and forgetting: after each step every method
 * shows each record with the tier that the oracle below computes from the writes. The oracle shares no code with the
 * engine.
 */
import { afterAll, describe, expect, it } from 'vitest'
import type { RecordInput } from '../../src/core/model/record.ts'
import { openRecall, type Recall } from '../../src/index.ts'
import { createRandom, type Random } from '../support/data/random.ts'

const order = ['owner', 'team', 'guest']
const config = {
  rules: 'R',
  tiers: order.map((id, i) => ({ id, priority: i + 1 })),
  tierByBank: { web: 'guest', desk: 'owner' },
  tierByProfile: { draft: 'team' },
}
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const claims = ['owner', 'owner', 'owner', 'team', 'guest', 'king', null]
const seeds = Array.from({ length: 6 }, (_, i) => 610_000 + i)

interface Written {
  own: string | null
  sources: readonly string[]
  bank: string | null
  profile: string | null
}

interface World {
  readonly records: Map<string, Written>
  /** Ids that were forgotten at least once: what a store that knows nothing of this has put does not come back [R5]. */
  readonly ended: Set<string>
}

const lower = (a: string | null, b: string | null): string | null => {
  if (a === b) return a
  if (a === null || b === null || !order.includes(a) || !order.includes(b)) return null
  return order.indexOf(a) > order.indexOf(b) ? a : b
}

const mapped = ({ bank, profile }: Pick<Written, 'bank' | 'profile'>, claimed: string | null): string | null => {
  if (profile === 'draft') return 'team'
  if (bank === 'web') return 'guest'
  return bank === 'desk' ? 'owner' : claimed
}

/**
 * From records without sources upwards: a record has a tier once all of its sources have theirs, so cycles never get
 * one.
 */
function tiersOf({ records }: World): Map<string, string | null> {
  let tiers = new Map<string, string | null>([...records.keys()].map((id) => [id, null]))
  for (let round = 0; round <= records.size; round++) {
    const last = tiers
    tiers = new Map(
      [...records].map(([id, { own, sources }]) => [
        id,
        sources.reduce((tier, source) => lower(tier, last.get(source) ?? null), own),
      ]),
    )
  }
  return tiers
}

let named = 0
let clock = 1_000_000
const opened: Recall[] = []
const open = async (authority: object | undefined): Promise<Recall> => {
  const store = await openRecall({
    name: `tiers ${++named}`,
    storage: 'memory',
    runtime: 'inline',
    embedder: null,
    now: () => clock,
    ...(authority === undefined ? {} : { authority }),
  })
  opened.push(store)
  return store
}
afterAll(async () => void (await Promise.all(opened.map((store) => store.close()))))

const relationsTo = (sources: readonly string[]) => sources.map((target) => ({ kind: 'derived_from', target }))

function madeUp(random: Random): { readonly id: string; readonly claimed: string | null } & Omit<Written, 'own'> {
  return {
    id: random.pick(ids),
    claimed: random.pick(claims),
    sources: random.shuffled(ids).slice(0, random.pick([0, 0, 0, 1, 1, 2])),
    bank: random.pick([null, null, null, 'web', 'desk', 'other']),
    profile: random.pick([null, null, null, null, 'draft']),
  }
}

function inputOf({ id, claimed, sources, bank, profile }: ReturnType<typeof madeUp>): RecordInput {
  const body = `jay ${id} ${clock}`
  return { id, body, bank, profile, authorityTier: claimed, relations: relationsTo(sources) }
}

async function takeStep(store: Recall, world: World, random: Random): Promise<string> {
  clock += 1000
  const { records } = world
  const made = madeUp(random)
  const { id, claimed, sources, bank, profile } = made
  const stored = records.get(id)
  const kind = random.pick([
    'put',
    'put',
    'batch',
    'import',
    'forget',
    'patch',
    'patch',
    'rows',
    'claim',
    'relate',
    'move',
  ])
  if (kind === 'put' || (stored === undefined && !['batch', 'import', 'forget'].includes(kind))) {
    await store.put(inputOf(made))
    records.set(id, { own: mapped(made, claimed), sources, bank, profile })
    return 'put'
  }
  if (kind === 'batch' || kind === 'import') {
    const batch = [...new Map([made, madeUp(random), madeUp(random)].map((one) => [one.id, one])).values()]
    if (kind === 'batch') {
      await store.put(batch.map(inputOf))
      for (const one of batch) records.set(one.id, { ...one, own: mapped(one, one.claimed) })
      return kind
    }
    const theirs = await open(undefined)
    await theirs.put(batch.map(inputOf))
    const bound = random.pick([undefined, null, 'guest', 'team', 'owner'])
    await store.importFrom(theirs.exportTo(), { mode: 'merge', authorityTier: bound })
    for (const one of batch.filter(({ id }) => !world.ended.has(id))) {
      const own = mapped(one, one.claimed)
      records.set(one.id, { ...one, own: bound === undefined ? own : lower(own, bound) })
    }
    return `import ${bound}`
  }
  if (kind === 'forget') {
    await store.forget(id)
    if (records.delete(id)) world.ended.add(id)
    return kind
  }
  if (stored === undefined) throw new Error('not reached')
  if (kind === 'patch') await store.patch(id, random.pick([{ tags: [`t${clock}`] }, { body: `jay ${clock}` }]))
  else if (kind === 'rows') {
    if (random.below(2) === 0) await store.setReasons(id, [{ code: 'stable_context' }])
    else await store.setRisks(id, [{ flag: 'governance_applies' }])
  } else if (kind === 'claim') {
    await store.patch(id, { authorityTier: claimed })
    stored.own = mapped(stored, claimed)
  } else if (kind === 'relate') {
    await store.setRelations(id, relationsTo(sources))
    stored.sources = sources
  } else {
    await store.patch(id, { bank })
    stored.bank = bank
    stored.own = mapped(stored, stored.own)
  }
  return kind
}

/** By id, as a method shows it. */
type Shown = ReadonlyMap<string, string | null>

async function shownBy(store: Recall): Promise<Readonly<Record<string, Shown>>> {
  const named = (records: readonly { readonly id: string; readonly authorityTier: string | null }[]): Shown =>
    new Map(records.map(({ id, authorityTier }) => [id, authorityTier]))
  const { hits, authorityContext } = await store.recall({ text: 'jay', limit: 100, collapse: 'none' })
  const context = await store.assemble({ text: 'jay', maxItems: 100 })
  return {
    get: named((await store.get(ids)).filter((record) => record !== undefined)),
    list: named((await store.list()).items),
    recall: named(hits.map(({ record }) => record)),
    assemble: named(context.records),
    block: headingsOf(
      authorityContext,
      hits.map(({ record }) => record),
    ),
    'block of assemble': headingsOf(context.authorityContext, context.records),
  }
}

/** The heading above each record's text; tiers that are not configured count as none. */
function headingsOf(
  block: string | null,
  records: readonly { readonly id: string; readonly body: string | null }[],
): Shown {
  const shown = new Map<string, string | null>()
  let heading: string | null = null
  for (const line of (block ?? '').split('\n')) {
    const named = /^\[(\w+)\]$/.exec(line)?.[1]
    if (named !== undefined) heading = named === 'UNASSIGNED' ? null : named
    const record = records.find(({ body }) => line === `- ${body}`)
    if (record !== undefined) shown.set(record.id, heading)
  }
  return shown
}

const sorted = (shown: Shown) => [...shown].sort(([a], [b]) => (a < b ? -1 : 1))

describe.each(seeds)('[A2] store %i', (seed) => {
  it('shows each record with the lowest tier of its own and of all it derives from, whatever happens', async () => {
    const random = createRandom(seed)
    const store = await open(config)
    const world: World = { records: new Map(), ended: new Set() }
    for (let step = 0; step < 30; step++) {
      const did = await takeStep(store, world, random)
      const tiers = tiersOf(world)
      const configured = new Map([...tiers].map(([id, tier]) => [id, order.includes(tier ?? '') ? tier : null]))
      const shown = await shownBy(store)
      for (const [by, answer] of Object.entries(shown)) {
        const expected = by.startsWith('block') ? configured : tiers
        expect(sorted(answer), `seed ${seed}, step ${step} (${did}), by ${by}`).toEqual(sorted(expected))
      }
      if (step % 10 !== 9) continue
      const bytes: Uint8Array[] = []
      for await (const part of store.exportTo()) bytes.push(part)
      const again = await open(config)
      await again.importFrom(bytes, { mode: 'replace' })
      expect(await shownBy(again), `seed ${seed}, step ${step}, imported again`).toEqual(shown)
    }
  })
})

it('control: the oracle detects a tier that was right only when it was written', async () => {
  const store = await open(config)
  await store.put({ id: 'a', body: 'jay a', authorityTier: 'owner' })
  await store.put({ id: 'b', body: 'jay b', authorityTier: 'owner', relations: relationsTo(['a']) })
  const before = await shownBy(store)
  await store.patch('a', { authorityTier: 'guest' })
  const after = await shownBy(store)
  for (const by of Object.keys(before)) expect(after[by], by).not.toEqual(before[by])
  const world: World = {
    records: new Map([
      ['a', { own: 'guest', sources: [], bank: null, profile: null }],
      ['b', { own: 'owner', sources: ['a'], bank: null, profile: null }],
    ]),
    ended: new Set(),
  }
  expect(sorted(tiersOf(world))).toEqual(sorted(after['get']!))
  expect(sorted(tiersOf(world))).not.toEqual(sorted(before['get']!))
})
