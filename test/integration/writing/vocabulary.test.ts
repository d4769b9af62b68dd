/** Tests the stored vocabulary: it follows each write in its transaction, is checked, rebuilt and erased, and is not exported. */
import { describe, expect, test } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { createRandom } from '../../support/data/random.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'

const records: readonly RecordInput[] = [
  { id: 'oak', title: 'Oaks', body: 'The oak, the Oak and the OAK at src/nest.ts: 12 acorns.' },
  { id: 'jay', body: 'A jay hides acorns. Größe, Œuvre, 松鸦, node18.' },
]

/** Every word of every record, counted without the engine. All texts here are ASCII, so a plain cut is enough. */
function counted(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) {
    const words = text.toLowerCase().match(/[a-z0-9]{2,32}/g) ?? []
    for (const word of new Set(words.filter((one) => /\D/.test(one)))) counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}

function stored({ database }: Pick<OpenedOver, 'database'>): Record<string, number> {
  const rows = all(database, `SELECT word, records FROM vocabulary`, [], (row) => [row.text(0), row.number(1)] as const)
  return Object.fromEntries(rows)
}

async function opened(): Promise<OpenedOver> {
  const store = await openOver()
  await store.call('put', { batch: records.map((record) => ({ ...record, updatedAt: startOfTime - 1000 })) })
  return store
}

const ofOak = { acorns: 1, at: 1, and: 1, nest: 1, oak: 1, oaks: 1, src: 1, the: 1, ts: 1 }

describe('the vocabulary', () => {
  test('has the words as they are written, with the records that hold each; no numbers, no pairs of letters', async () => {
    expect(stored(await opened())).toEqual({
      ...ofOak,
      acorns: 2,
      jay: 1,
      hides: 1,
      große: 1,
      œuvre: 1,
      node18: 1,
    })
  })

  test('follows put, patch, merge and forget in their transactions', async () => {
    const store = await openOver()
    const random = createRandom(7)
    const words = ['oak', 'oaks', 'jay', 'jays', 'hide', 'hiding', 'nest', 'acorn', 'acorns', 'winter']
    const text = () => Array.from({ length: 1 + random.below(6) }, () => random.pick(words)).join(' ')
    const bodies = new Map<string, string>()
    for (let step = 0; step < 60; step++) {
      const ids = Array.from({ length: 1 + random.below(4) }, () => `r${random.below(12)}`)
      const isRemoval = random.below(4) === 0
      if (isRemoval) await store.call('forget', { ids })
      else await store.call('put', { batch: ids.map((id) => ({ id, body: text() })) })
      const stays = (await store.call('list', { filter: { limit: 100 } })).items
      bodies.clear()
      for (const { id, body } of stays) bodies.set(id, body ?? '')
      expect(stored(store), `step ${step}`).toEqual(counted([...bodies.values()]))
    }
    await store.call('patch', { id: [...bodies.keys()][0]!, fields: { title: 'Quartz' } })
    expect(stored(store)).toMatchObject({ quartz: 1 })
    await store.call('patch', { id: [...bodies.keys()][0]!, fields: { tags: ['quartz'] } })
    expect(stored(store)).toMatchObject({ quartz: 1 })
    expect(await store.call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('control: a put that is rolled back leaves no word for the next one', async () => {
    const store = await opened()
    store.database.execute(
      `CREATE TEMP TRIGGER stop BEFORE INSERT ON main.records BEGIN SELECT RAISE(ABORT, 'no'); END`,
    )
    await expect(store.call('put', { batch: [{ id: 'new', body: 'zebra' }] })).rejects.toThrow()
    store.database.execute(`DROP TRIGGER stop`)
    await store.call('put', { batch: [{ id: 'next', body: 'quartz' }] })
    expect(stored(store)).toMatchObject({ quartz: 1 })
    expect(stored(store)).not.toHaveProperty('zebra')
  })

  test.each([
    ['a wrong count', `UPDATE vocabulary SET records = records + 1 WHERE word = 'oak'`],
    ['a word that is gone', `DELETE FROM vocabulary WHERE word = 'oak'`],
    ['a word of no record', `INSERT INTO vocabulary VALUES ('zebra', 1)`],
  ])('is checked and rebuilt by integrityCheck: %s', async (_name, damage) => {
    const store = await opened()
    const before = stored(store)
    store.database.execute(damage)
    expect(stored(store)).not.toEqual(before)
    const found = await store.call('integrityCheck', {})
    expect(found).toMatchObject({
      ok: false,
      derived: 'damaged',
      problems: ['derived: the vocabulary is not that of the records'],
    })
    expect(await store.call('integrityCheck', { repair: true })).toMatchObject({ ok: true, derived: 'repaired' })
    expect(stored(store)).toEqual(before)
    expect(await store.call('integrityCheck', {})).toMatchObject({ ok: true, derived: 'ok' })
  })

  test('[W3] forgets the words of forgotten and of replaced texts; no byte of them stays', async () => {
    const store = await opened()
    const holds = (word: string) => {
      const { sqlite3, pointer } = store.database
      return Buffer.from(sqlite3.capi.sqlite3_js_db_export(pointer)).includes(word)
    }
    await store.call('put', { batch: [{ id: 'secret', body: 'xylocanary quokkacanary' }] })
    // Control: the words are among the bytes.
    expect([holds('xylocanary'), holds('quokkacanary')]).toEqual([true, true])
    await store.call('put', { batch: [{ id: 'secret', body: 'quokkacanary' }] })
    expect(stored(store)).not.toHaveProperty('xylocanary')
    await store.call('forget', { ids: ['secret'] })
    expect(stored(store)).not.toHaveProperty('quokkacanary')
    expect(holds('quokkacanary')).toBe(false)
    expect((await store.call('recall', { query: { text: 'quokkacanery' } })).plan.read).toEqual([])
  })

  test.each(['replace', 'merge'] as const)(
    '[X1] is found again from the records of an export, mode %s',
    async (mode) => {
      const source = await opened()
      const bytes = await exported(source)
      // Control: a store without vocabulary has the same export, so the import cannot have copied it.
      source.database.execute(`DELETE FROM vocabulary`)
      expect(await exported(source)).toEqual(bytes)
      const copy = await openOver()
      await copy.call('put', { batch: [{ id: 'oak', body: 'Older zebra.', updatedAt: 1 }] }, startOfTime - 86_400_000)
      await imported(copy, bytes, mode)
      expect(stored(copy)).toEqual(stored(await opened()))
      expect(await copy.call('integrityCheck', {})).toMatchObject({ ok: true })
    },
  )
})
