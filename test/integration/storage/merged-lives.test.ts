/** Tests what `importFrom` does with lives, stamps and tombstones: what was forgotten stays forgotten, and the later change wins. */
import { describe, expect, test } from 'vitest'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { createRandom } from '../../support/data/random.ts'
import { dump } from '../../support/stores/dump.ts'
import { frozenStores } from '../../support/stores/frozen-store.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported, openRich, portableOptions, resealed } from '../../support/stores/portable.ts'

const year = 365 * 86_400_000

async function storeOf(...ids: readonly string[]): Promise<OpenedOver> {
  const opened = await openOver()
  await opened.call('put', { batch: ids.map((id) => ({ id, body: `text of ${id}` })) })
  return opened
}

async function idsOf({ call }: OpenedOver): Promise<readonly string[]> {
  return (await call('list', { filter: { limit: 1000 } })).items.map(({ id }) => id).sort()
}

async function bodyOf({ call }: OpenedOver, id: string): Promise<string | null | undefined> {
  return (await call('get', { ids: [id] }))[0]?.body
}

function tombstones({ database }: OpenedOver): readonly string[] {
  return all(database, `SELECT mark FROM tombstones ORDER BY mark`, [], (row) => row.text(0))
}

describe('a merge', () => {
  test('brings back nothing that was forgotten, from a backup of either format', async () => {
    const opened = await storeOf('a', 'b')
    const backup = await exported(opened)
    await opened.call('forget', { ids: ['a'] }, startOfTime - year)
    expect(await imported(opened, backup, 'merge')).toMatchObject({
      inserted: 0,
      unchanged: 1,
      forgotten: 1,
    })
    expect(await idsOf(opened)).toEqual(['b'])
    const old = frozenStores().find(({ version }) => version === 4)!.exported
    const rich = await openOver(portableOptions)
    await imported(rich, old)
    const [first, ...others] = await idsOf(rich)
    await rich.call('forget', { ids: [first!] })
    await imported(rich, old, 'merge')
    expect(await idsOf(rich)).toEqual(others)
    // Control: replacing is a restore.
    await imported(rich, old)
    expect(await idsOf(rich)).toEqual([first, ...others])
  })

  test('forgets what the exported store has forgotten: text, links and log lines', async () => {
    const [phone, laptop] = [await storeOf('a', 'b', 'c'), await openOver()]
    await imported(laptop, await exported(phone), 'merge')
    await laptop.call('link', { a: 'a', b: 'b', weight: 0.5 })
    await laptop.call('put', { batch: [{ id: 'a', body: 'edited on the laptop' }] }, startOfTime + year)
    await phone.call('forget', { ids: ['a'] })
    expect(await imported(laptop, await exported(phone), 'merge')).toMatchObject({ removed: 1, unchanged: 2 })
    expect(await idsOf(laptop)).toEqual(['b', 'c'])
    expect(await laptop.call('verifyForgotten', { id: 'a' })).toMatchObject({ clean: true })
    expect(await laptop.call('linked', { id: 'b' })).toEqual([])
    expect((await laptop.call('events', { since: 0 })).filter(({ id }) => id === 'a').map(({ kind }) => kind)).toEqual([
      'delete',
    ])
    expect(await laptop.call('recall', { query: { text: 'laptop' } })).toMatchObject({ hits: [] })
    expect(await laptop.call('integrityCheck', {})).toMatchObject({ ok: true })
    // Control: without the tombstone it stays.
    const other = await storeOf('a')
    phone.database.execute(`DELETE FROM tombstones`)
    await imported(other, await exported(phone), 'merge')
    expect(await idsOf(other)).toEqual(['a', 'b', 'c'])
  })

  test('keeps tombstones of records that it never had, for a third store', async () => {
    const [first, second, third] = [await storeOf('a'), await openOver(), await storeOf('a')]
    await first.call('forget', { ids: ['a'] })
    await imported(second, await exported(first), 'merge')
    expect(tombstones(second)).toEqual([tombstoneMark('a')])
    await imported(third, await exported(second), 'merge')
    expect(await idsOf(third)).toEqual([])
  })

  test('takes a record that was put again after it was forgotten, without the links of its earlier life', async () => {
    const [phone, laptop] = [await storeOf('a', 'b'), await openOver()]
    await imported(laptop, await exported(phone), 'merge')
    await laptop.call('link', { a: 'a', b: 'b', weight: 0.5 })
    await phone.call('forget', { ids: ['a'] })
    await phone.call('put', { batch: [{ id: 'a', body: 'new life' }] }, startOfTime - year)
    await laptop.call('put', { batch: [{ id: 'a', body: 'old life' }] }, startOfTime + year)
    await imported(laptop, await exported(phone), 'merge')
    expect([await bodyOf(laptop, 'a'), await laptop.call('linked', { id: 'a' })]).toEqual(['new life', []])
    await imported(phone, await exported(laptop), 'merge')
    expect(await exported(phone)).toEqual(await exported(laptop))
  })

  test('moves the clock: a change made with knowledge of another wins, though its clock is years behind', async () => {
    const [ahead, behind] = [await openOver(), await openOver()]
    await ahead.call('put', { batch: [{ id: 'a', body: 'first' }] }, startOfTime + 10 * year)
    await imported(behind, await exported(ahead), 'merge')
    const reopened = behind.reopen()
    await reopened.call('put', { batch: [{ id: 'a', body: 'second' }] })
    await imported(ahead, await exported(reopened), 'merge')
    expect(await bodyOf(ahead, 'a')).toBe('second')
  })

  test('is not decided by reading the same text again', async () => {
    const [phone, laptop] = [await storeOf('a'), await openOver()]
    await imported(laptop, await exported(phone), 'merge')
    await laptop.call('put', { batch: [{ id: 'a', body: 'edited' }] }, startOfTime + 1)
    await phone.call('put', { batch: [{ id: 'a', body: 'text of a' }] }, startOfTime + 2)
    await imported(phone, await exported(laptop), 'merge')
    expect(await bodyOf(phone, 'a')).toBe('edited')
  })
})

describe('an import', () => {
  test('of a stranger (learned: drop) neither forgets nor wins by its stamps', async () => {
    const [own, stranger] = [await storeOf('a', 'b'), await storeOf('a', 'b')]
    await stranger.call('forget', { ids: ['a'] })
    await stranger.call('put', { batch: [{ id: 'b', body: 'forged', updatedAt: 0 }] }, startOfTime + 100 * year)
    const bytes = await exported(stranger)
    await own.call('importPart', { import: 'file', at: 0, bytes })
    await own.call('finishImport', { import: 'file', mode: 'merge', learned: 'drop' })
    expect([await idsOf(own), await bodyOf(own, 'b')]).toEqual([['a', 'b'], 'text of b'])
    // Control.
    await imported(own, bytes, 'merge')
    expect([await idsOf(own), await bodyOf(own, 'b')]).toEqual([['b'], 'forged'])
  })

  test('that replaces takes over stamps and tombstones: the same bytes again', async () => {
    const [source, target] = [await storeOf('a', 'b', 'c'), await storeOf('d')]
    await source.call('forget', { ids: ['b'] })
    await target.call('forget', { ids: ['d'] })
    const bytes = await exported(source)
    await imported(target, bytes)
    expect(await exported(target)).toEqual(bytes)
    expect(tombstones(target)).toEqual([tombstoneMark('b')])
  })

  test('with tombstones alone is remembered after the store is opened again', async () => {
    const [source, target] = [await storeOf('a'), await openOver()]
    await source.call('forget', { ids: ['a'] }, startOfTime + year)
    await imported(target, await exported(source), 'merge')
    const reopened = target.reopen()
    await reopened.call('put', { batch: [{ id: 'z', body: 'z' }] })
    const [stamp] = all(reopened.database, `SELECT stamp_at FROM records`, [], (row) => row.number(0))
    expect(stamp).toBe(startOfTime + year)
  })

  test.each([
    ['a mark of another form', 5, /"mark":"./, '"mark":"x', 'INVALID_ARGUMENT'],
    ['a life below 0', 5, '"life":0', '"life":-1', 'INVALID_RECORD'],
    ['a stamp of two parts', 5, /,"[0-9a-f]{16}"\]/, ']', 'INVALID_RECORD'],
    ['a stamp without a device', 5, /"[0-9a-f]{16}"\]/, 'null]', 'INVALID_ARGUMENT'],
    ['a stamp of half a millisecond', 5, /"stamp":\[\d+/, '"stamp":[0.5', 'INVALID_RECORD'],
    ['a time of text in the stamp of a record', 2, /"stamp":\[\d+/, '"stamp":["0"', 'INVALID_RECORD'],
    ['another number of tombstones', 1, '"tombstones":1', '"tombstones":2', 'INVALID_ARGUMENT'],
  ] as const)('with %s is refused and changes nothing', async (_name, kind, from, to, code) => {
    const [source, target] = [await storeOf('a', 'b'), await storeOf('b')]
    await source.call('forget', { ids: ['a'] })
    const before = dump(target.database)
    const bytes = await exported(source)
    const changed = resealed(bytes, (content) => rewritten(content, kind, from, to))
    expect(Buffer.from(changed).equals(Buffer.from(bytes))).toBe(false)
    await expect(imported(target, changed, 'merge')).rejects.toMatchObject({ code })
    expect(dump(target.database)).toBe(before)
  })
})

/** Replaces text in the frames of a kind, and corrects their lengths. */
function rewritten(content: Buffer, kind: number, from: string | RegExp, to: string): Buffer {
  const frames: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    const length = content.readUInt32LE(at + 1)
    const frame = content.subarray(at, at + 5 + length)
    at += 5 + length
    if (frame[0] !== kind) {
      frames.push(frame)
      continue
    }
    const text = Buffer.from(frame.subarray(5).toString().replace(from, to))
    const head = Buffer.from([kind, 0, 0, 0, 0])
    head.writeUInt32LE(text.length, 1)
    frames.push(head, text)
  }
  return Buffer.concat(frames)
}

test('forgetting during an export does not change its tombstones', async () => {
  const source = await openRich(400)
  const ids = await idsOf(source)
  await source.call('forget', { ids: ids.slice(0, 3) })
  const before = await exported(source)
  const random = createRandom(3)
  let parts = 0
  const during = await exported(source, async () => {
    parts++
    await source.call('forget', { ids: random.shuffled(ids).slice(0, 20) })
  })
  expect(parts).toBeGreaterThan(0)
  expect(Buffer.from(during).equals(Buffer.from(before))).toBe(true)
  expect(tombstones(source).length).toBeGreaterThan(3)
})
