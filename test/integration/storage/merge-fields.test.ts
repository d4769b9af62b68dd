/** Tests that changes of several devices to one record are merged field by field [R13], whatever the order in which the devices meet. */
import { describe, expect, test } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { openRecall } from '../../../src/index.ts'
import { memoryTransport, replicate } from '../../../src/replicate/index.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { base, bytesOf, get, openEqual, patch } from '../../support/stores/equal-devices.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import type { OpenedOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'

const key = Uint8Array.from({ length: 32 }, (_, i) => i * 3 + 1)
const hour = 3_600_000
/** One change of each kind. Two devices make the changes of one kind to different values. */
const edits: Readonly<Record<string, (of: number) => Partial<RecordInput>>> = {
  title: (of) => ({ title: `Plan ${of}` }),
  body: (of) => ({ body: `the plan ${of}` }),
  summary: (of) => ({ summary: `short ${of}` }),
  instruction: (of) => ({ instruction: `do ${of}` }),
  metadata: (of) => ({ metadata: { colour: `blue ${of}`, size: 1 } }),
  kind: (of) => ({ kind: `kind ${of}` }),
  project: (of) => ({ project: `project ${of}` }),
  importance: (of) => ({ importance: of + 2 }),
  pressureRate: (of) => ({ pressureRate: of + 2 }),
  status: (of) => ({ status: 'superseded', supersededBy: `other ${of}` }),
  validity: (of) => ({ validFrom: of, validUntil: of + 1 }),
  expiresAt: (of) => ({ expiresAt: startOfTime * 2 + of }),
  occurredAt: (of) => ({ occurredAt: of }),
  place: (of) => ({ session: `session ${of}`, position: of }),
  bank: (of) => ({ bank: `bank ${of}`, authorityTier: `tier ${of}` }),
  source: (of) => ({ source: `source ${of}` }),
  authority: (of) => ({ authority: `authority ${of}` }),
  exitCode: (of) => ({ exitCode: of }),
  language: (of) => ({ language: of === 1 ? 'de' : 'fr' }),
  files: (of) => ({ files: [{ path: 'src/a.ts', sha256: `${of}` }] }),
  reasons: (of) => ({ reasons: [{ code: 'user_pinned', weight: of / 4 }] }),
  cycles: (of) => ({ cycles: [{ periodSeconds: 86_400, amplitude: of, phaseSeconds: 0 }] }),
}
/** What both devices change without a conflict, because they change different elements. */
const additions: Readonly<Record<string, (of: number) => Partial<RecordInput>>> = {
  tags: (of) => ({ tags: ['first', 'second', `tag ${of}`] }),
  removal: (of) => ({ tags: [of === 1 ? 'first' : 'second'] }),
  keys: (of) => ({ metadata: { ...base.metadata, [`key ${of}`]: of } }),
  relations: (of) => ({ relations: [...base.relations!, { kind: 'about', target: `target ${of}` }] }),
  anchors: (of) => ({ anchors: [{ id: `anchor ${of}`, path: 'a', kind: 'b' }] }),
  terms: (of) => ({ terms: [{ term: `Declared${of}`, kind: 'symbol' }] }),
  risks: (of) => ({ risks: [{ flag: of === 1 ? 'raw_logs_deferred' : 'governance_applies' }] }),
}

test('[R13] a new body of the laptop and a new tag of the phone both stay, in both', async () => {
  const [phone, laptop] = [await openRecall({ name: 'r13 phone' }), await openRecall({ name: 'r13 laptop' })]
  const transport = memoryTransport()
  const [fromPhone, fromLaptop] = [phone, laptop].map((store) => replicate(store, { transport, key, everyMs: null }))
  await phone.put({ id: 'g', body: 'Planted garlic.' })
  await fromPhone!.sync()
  await fromLaptop!.sync()
  await laptop.patch('g', { body: 'Planted garlic in October, 12 cloves.' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await phone.patch('g', { tags: ['garden'] })
  await fromLaptop!.sync()
  expect(await fromPhone!.sync()).toMatchObject({ pulled: 1, updated: 1, pushed: 1, conflicts: 0 })
  expect(await fromLaptop!.sync()).toMatchObject({ updated: 1, pushed: 0, conflicts: 0 })
  for (const store of [phone, laptop])
    expect(await store.get('g')).toMatchObject({ body: 'Planted garlic in October, 12 cloves.', tags: ['garden'] })
  expect(await fromPhone!.sync()).toMatchObject({ pulled: 0, pushed: 0, updated: 0 })
  expect((await phone.recall('cloves')).hits[0]?.record.id).toBe('g')
  await phone.close()
  await laptop.close()
})

describe('[R13] two devices change one record apart', () => {
  test('in every pair of ways: one-sided changes stay, the same field follows the later change and is a conflict', async () => {
    const all = { ...edits, ...additions }
    const names = Object.keys(all)
    const pairs = names.flatMap((one, i) =>
      names.slice(i).map((other, j) => (j % 2 === 0 ? ([one, other] as const) : ([other, one] as const))),
    )
    const idOf = ([mine, theirs]: readonly [string, string]) => `${mine} ${theirs}`
    const batch = pairs.map((pair) => ({ ...base, id: idOf(pair) }))
    const [phone, laptop] = (await openEqual(['phone', 'laptop'], batch)) as [OpenedOver, OpenedOver]
    const change = async (device: OpenedOver, which: 0 | 1, at: number) => {
      const changed = pairs.map((pair) => ({ ...base, id: idOf(pair), ...all[pair[which]]!(which + 1) }))
      await device.call('put', { batch: changed }, startOfTime + at)
    }
    await change(phone, 0, hour)
    await change(laptop, 1, 2 * hour)
    const bytes = await exported(phone)
    const conflicts = pairs.filter(([mine, theirs]) => mine === theirs && edits[mine] !== undefined).map(idOf)
    expect(await imported(phone, await exported(laptop), 'merge')).toMatchObject({ conflicts: conflicts.length })
    expect(await imported(laptop, bytes, 'merge')).toMatchObject({ conflicts: conflicts.length })
    expect(await bytesOf(phone)).toBe(await bytesOf(laptop))
    for (const pair of pairs) {
      const [mine, theirs] = pair
      const merged = await get(phone, idOf(pair))
      if (mine in edits && mine !== theirs && !(mine === 'metadata' && theirs === 'keys'))
        expect(merged, idOf(pair)).toMatchObject(edits[mine]!(1))
      if (theirs in edits && !(theirs === 'metadata' && mine === 'keys'))
        expect(merged, idOf(pair)).toMatchObject(edits[theirs]!(2))
    }
    expect(await get(phone, 'tags tags')).toMatchObject({ tags: ['first', 'second', 'tag 1', 'tag 2'] })
    expect(await get(phone, 'removal removal')).toMatchObject({ tags: [] })
    expect((await get(phone, 'keys keys')).metadata).toEqual({ colour: 'red', size: 1, 'key 1': 1, 'key 2': 2 })
    expect((await get(phone, 'relations relations')).relations.map(({ target }) => target)).toEqual([
      'elsewhere',
      'target 1',
      'target 2',
    ])
    for (const device of [phone, laptop])
      expect(await device.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
    // A second exchange has nothing to decide.
    expect(await imported(phone, await exported(laptop), 'merge')).toMatchObject({ updated: 0, conflicts: 0 })
  })

  test('a cleared text takes the other texts with it, so that one always stays', async () => {
    const [phone, laptop] = (await openEqual(['phone', 'laptop'], [base])) as [OpenedOver, OpenedOver]
    await patch(phone, 'plan', { title: null })
    await patch(laptop, 'plan', { body: null }, 2)
    const bytes = await exported(phone)
    await imported(phone, await exported(laptop), 'merge')
    await imported(laptop, bytes, 'merge')
    expect(await get(phone, 'plan')).toMatchObject({ title: 'Plan', body: null })
    expect(await bytesOf(phone)).toBe(await bytesOf(laptop))
  })

  test('more tags than a record may have: those of the later change stay', async () => {
    const [phone, laptop] = (await openEqual(['phone', 'laptop'], [base])) as [OpenedOver, OpenedOver]
    const tags = (name: string) => Array.from({ length: 200 }, (_, i) => `${name} ${i}`)
    await patch(phone, 'plan', { tags: tags('phone'), metadata: { a: 'x'.repeat(10_000) } })
    await patch(laptop, 'plan', { tags: tags('laptop'), metadata: { b: 'x'.repeat(10_000) } }, 2)
    const bytes = await exported(phone)
    await imported(phone, await exported(laptop), 'merge')
    await imported(laptop, bytes, 'merge')
    expect(await get(phone, 'plan')).toMatchObject({ tags: tags('laptop'), metadata: { b: 'x'.repeat(10_000) } })
    expect(await bytesOf(phone)).toBe(await bytesOf(laptop))
  })

  test('what was forgotten stays forgotten, whatever was edited', async () => {
    const [phone, laptop] = (await openEqual(['phone', 'laptop'], [base])) as [OpenedOver, OpenedOver]
    await phone.call('forget', { ids: ['plan'] })
    await patch(laptop, 'plan', { tags: ['later'] }, hour)
    expect(await imported(phone, await exported(laptop), 'merge')).toMatchObject({ forgotten: 1, conflicts: 0 })
    expect(await imported(laptop, await exported(phone), 'merge')).toMatchObject({ removed: 1, conflicts: 0 })
    expect(await laptop.call('count', { scope: {} })).toBe(0)
  })

  test('a tag that was removed is in no row', async () => {
    const [phone] = (await openEqual(['phone'], [{ ...base, tags: ['quokkasecret'] }])) as [OpenedOver]
    await patch(phone, 'plan', { tags: [] })
    const row = first(phone.database, `SELECT fields FROM records`, [], (stored) => stored.textOrNull(0))
    expect(row).toMatch(/tags [0-9a-f]{32}/)
    expect(row).not.toContain('quokkasecret')
  })

  test('many removed tags are not remembered for ever', async () => {
    const [phone] = (await openEqual(['phone'], [base])) as [OpenedOver]
    const length = () => first(phone.database, `SELECT length(fields) FROM records`, [], (row) => row.number(0)) ?? 0
    for (let i = 0; i < 200; i++) await patch(phone, 'plan', { tags: [`tag ${i}`] }, i)
    expect(length()).toBeLessThan(6_000)
  })
})

describe('onConflict', () => {
  test('sees what only one side changed in both versions, and decides about the rest', async () => {
    const stores = await Promise.all(['a', 'b'].map((name) => openRecall({ name: `fields ${name}`, embedder: null })))
    const [phone, laptop] = stores as [(typeof stores)[0], (typeof stores)[0]]
    await phone.put({ id: 'list', title: 'List', body: 'Bread', tags: ['food'] })
    await laptop.importFrom(phone.exportTo(), { mode: 'merge' })
    await phone.patch('list', { body: 'Bread, milk', tags: ['food', 'shop'] })
    await laptop.patch('list', { body: 'Bread, eggs', title: 'Shopping' })
    const seen: unknown[] = []
    const receipt = await phone.importFrom(laptop.exportTo(), {
      mode: 'merge',
      onConflict(mine, theirs) {
        seen.push([mine.title, mine.body, mine.tags], [theirs.title, theirs.body, theirs.tags])
        return { ...mine, body: [mine.body, theirs.body].sort().join('; ') }
      },
    })
    expect(receipt).toMatchObject({ updated: 1, conflicts: 1 })
    expect(seen).toEqual([
      ['Shopping', 'Bread, milk', ['food', 'shop']],
      ['Shopping', 'Bread, eggs', ['food', 'shop']],
    ])
    const both = { title: 'Shopping', body: 'Bread, eggs; Bread, milk', tags: ['food', 'shop'] }
    expect(await phone.get('list')).toMatchObject(both)
    expect(await laptop.importFrom(phone.exportTo(), { mode: 'merge' })).toMatchObject({ updated: 1, conflicts: 0 })
    expect(await laptop.get('list')).toMatchObject(both)
    await phone.close()
    await laptop.close()
  })

  test('is not asked about changes of different fields', async () => {
    const stores = await Promise.all(['c', 'd'].map((name) => openRecall({ name: `fields ${name}`, embedder: null })))
    const [phone, laptop] = stores as [(typeof stores)[0], (typeof stores)[0]]
    await phone.put({ id: 'list', title: 'List', body: 'Bread' })
    await laptop.importFrom(phone.exportTo(), { mode: 'merge' })
    await phone.patch('list', { title: 'Shopping' })
    await laptop.patch('list', { body: 'Bread, eggs' })
    const onConflict = () => {
      throw new Error('asked')
    }
    expect(await phone.importFrom(laptop.exportTo(), { mode: 'merge', onConflict })).toMatchObject({ conflicts: 0 })
    await phone.close()
    await laptop.close()
  })
})
