/** Tests that the segments of the text index are merged before many texts are deleted, and only then. */
import { describe, expect, it } from 'vitest'
import { all, type Database } from '../../../worker/sqlite/database.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const ids = Array.from({ length: 400 }, (_, i) => `r${i}`)
const recordOf = (id: string, about: string) => ({ id, body: `the ${about} note with canary${id} and tea` })

async function filled(): Promise<TestEngine> {
  const opened = await openEngine()
  for (let from = 0; from < ids.length; from += 20)
    await opened.call('put', { batch: ids.slice(from, from + 20).map((id) => recordOf(id, 'former')) })
  return opened
}

const reading = <T>({ engine }: TestEngine, read: (database: Database) => T) =>
  engine.inTurn(({ storage }) => read(storage.database))

const segments = (opened: TestEngine) =>
  reading(opened, (database) => all(database, `SELECT DISTINCT segid FROM record_fts_idx`, [], () => true).length)

/** The terms of the index, with the number of their records. */
const terms = (opened: TestEngine) =>
  reading(opened, (database) => {
    database.execute(`CREATE VIRTUAL TABLE temp.indexed_terms USING fts5vocab(main, record_fts, row)`)
    const read = all(
      database,
      `SELECT term, doc FROM temp.indexed_terms`,
      [],
      (row) => [row.text(0), row.number(1)] as const,
    )
    return new Map(read)
  })

describe('the segments of the text index', () => {
  it('[W3] are merged before many texts are deleted, of which no term stays', async () => {
    const opened = await filled()
    expect(await segments(opened)).toBeGreaterThan(3)
    const kept = ids.filter((_, i) => i % 4 === 0)
    await opened.call('forget', { ids: ids.filter((id) => !kept.includes(id)) })
    expect(await segments(opened)).toBe(1)
    const left = await terms(opened)
    expect([...left.keys()].filter((term) => term.startsWith('canary')).sort()).toEqual(
      kept.map((id) => `canary${id}`).sort(),
    )
    expect(left.get('tea')).toBe(kept.length)
    expect((await opened.call('integrityCheck', {})).ok).toBe(true)
  })

  it('are merged before many texts are replaced, of which no term stays', async () => {
    const opened = await filled()
    await opened.call('put', { batch: ids.slice(0, 150).map((id) => recordOf(id, 'newer')) })
    const left = await terms(opened)
    expect([left.get('former'), left.get('newer'), left.get('tea')]).toEqual([250, 150, 400])
    expect((await opened.call('integrityCheck', {})).ok).toBe(true)
  })

  it('control: stay as they are before a few texts are deleted', async () => {
    const opened = await filled()
    const before = await segments(opened)
    await opened.call('forget', { ids: ids.slice(0, 3) })
    expect(await segments(opened)).toBe(before)
  })
})
