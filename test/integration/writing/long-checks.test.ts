/**
 * Checks that integrityCheck runs in parts: questions and writes run between them. It finds the same damage wherever
 * that is, and reports no damage for a write between two parts.
 */
import { describe, expect, it } from 'vitest'
import type { Recall } from '../../../src/client/api/recall.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createRandom } from '../../support/data/random.ts'
import { connect } from '../../support/scripted-engine.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'

const random = createRandom(5)
const records = (count: number, prefix = 'r'): RecordInput[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${String(i).padStart(4, '0')}`,
    body: `text number ${i}`,
    files: [{ path: `src/${prefix}${i}.ts` }],
    vectors: random.vector(8),
  }))

async function openStore(count: number) {
  const storage = await openMemory(await initSqlite(), 'checked')
  const engine = createEngineOver(storage, { ...engineOptions, space: { name: 'eight', dimensions: 8 } }, null)
  const { recall } = await connect(engine)
  await recall.put(records(count))
  return { recall, database: storage.database }
}

function onProgress(recall: Recall, tell: (done: number, total: number) => void): void {
  recall.subscribe((event) => {
    if (event.type === 'progress' && event.operation === 'integrityCheck') tell(event.done, event.total)
  })
}

describe('integrityCheck of many records', () => {
  it('[Q5] questions run between its parts, and a write sent later is answered before it', async () => {
    const { recall } = await openStore(250)
    const answered: string[] = []
    const check = recall.integrityCheck().then(() => answered.push('check'))
    const write = recall.put({ id: 'own', body: 'own' }).then(() => answered.push('write'))
    let questions = 0
    while (!answered.includes('check')) {
      await recall.recall({ text: 'number', limit: 1 })
      questions++
    }
    await Promise.all([check, write])
    expect(answered).toEqual(['write', 'check'])
    // In one part, at most two questions could be answered before it.
    expect(questions).toBeGreaterThan(10)
  })

  it('[Q5] its progress rises with the records, up to its total', async () => {
    const { recall } = await openStore(400)
    const told: number[] = []
    const totals = new Set<number>()
    onProgress(recall, (done, total) => {
      told.push(done)
      totals.add(total)
    })
    await recall.integrityCheck()
    // After the last event.
    await recall.count()
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(new Set(told).size).toBeGreaterThan(10)
    expect([...totals]).toEqual([told.at(-1)])
  })

  it('[Q5] an abort between two parts ends it', async () => {
    const { recall } = await openStore(400)
    const controller = new AbortController()
    let reports = 0
    onProgress(recall, () => {
      if (++reports === 8) controller.abort()
    })
    await expect(recall.integrityCheck({ signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' })
    const seen = reports
    expect(await recall.count()).toBe(400)
    expect(reports - seen).toBeLessThanOrEqual(1)
  })

  it('writes of every kind between its parts raise no alarm', async () => {
    const { recall } = await openStore(400)
    const writes: readonly ((i: number) => Promise<unknown>)[] = [
      (i) =>
        recall.put({ id: `new${i}`, body: `new ${i}`, files: [{ path: `new/${i}.ts` }], vectors: random.vector(8) }),
      // A record that was not checked yet moves behind the end, and so does a checked one.
      (i) => recall.put({ id: `r0${399 - i}`, body: `other ${i}`, vectors: random.vector(8) }),
      (i) => recall.put({ id: `r000${i % 10}`, body: `other ${i}`, vectors: random.vector(8) }),
      (i) => recall.forget(`r03${10 + (i % 80)}`),
      (i) => recall.patch(`r02${10 + (i % 80)}`, { tags: [`t${i}`] }),
      (i) => recall.link(`r000${i % 10}`, `r001${i % 10}`),
      () => recall.compact(),
    ]
    const seen: number[] = []
    for (let round = 0; round < 3; round++) {
      let isDone = false
      const check = recall.integrityCheck().finally(() => {
        isDone = true
      })
      let made = 0
      for (; !isDone; made++) await writes[made % writes.length]!(made)
      seen.push(made)
      expect(await check).toMatchObject({ ok: true, problems: [] })
    }
    expect(Math.min(...seen)).toBeGreaterThan(writes.length)
  })

  it('control: damage between its parts is found where it has not checked yet', async () => {
    const { recall, database } = await openStore(400)
    let reports = 0
    onProgress(recall, () => {
      if (++reports === 12) database.execute(`UPDATE records SET content_hash = 'x' WHERE id = 'r0399'`)
    })
    const { derived, problems } = await recall.integrityCheck()
    expect(reports).toBeGreaterThan(12)
    expect(derived).toBe('damaged')
    expect(problems).toHaveLength(1)
  })

  it('finds damage of the first, of a middle and of the last record, and names each once', async () => {
    const { recall, database } = await openStore(400)
    const keys: number[] = []
    for (const id of ['r0000', 'r0049', 'r0050', 'r0200', 'r0399']) {
      database.each(`SELECT key FROM records WHERE id = ?`, [id], (row) => keys.push(row.number(0)))
      database.execute(`UPDATE files SET name = 'wrong' WHERE key = ?`, [keys.at(-1)!])
      database.execute(`UPDATE vector_codes SET code = zeroblob(8) WHERE slot = ? * 4096`, [keys.at(-1)!])
    }
    const found = await recall.integrityCheck()
    expect(found).toMatchObject({ ok: false, sqlite: 'ok', fts: 'ok', vectors: 'damaged', derived: 'damaged' })
    expect(found.problems.filter((line) => line.startsWith('derived'))).toEqual(
      keys.map((key) => `derived: record ${key}: files`),
    )
    expect(found.problems).toContain('vectors: 5 vectors are damaged or have another code')
    expect(await recall.integrityCheck({ repair: true })).toMatchObject({ ok: true, derived: 'repaired' })
    expect(await recall.integrityCheck()).toMatchObject({ ok: true, problems: [] })
  })

  it('[Q5] questions run between the steps of a repair, too', async () => {
    const { recall, database } = await openStore(150)
    database.execute(`UPDATE files SET name = 'wrong'`)
    let isDone = false
    const repair = recall.integrityCheck({ repair: true }).finally(() => {
      isDone = true
    })
    let questions = 0
    for (; !isDone; questions++) expect((await recall.recall({ text: 'number 7', limit: 1 })).hits).toHaveLength(1)
    expect(await repair).toMatchObject({ ok: true, derived: 'repaired' })
    expect(questions).toBeGreaterThan(12)
  })
})

describe('integrityCheck of the file', () => {
  /** Changes the schema without SQLite's checks. */
  const hack = (database: SqliteDatabase, ...statements: readonly string[]) =>
    database.undefended(() => {
      for (const sql of ['PRAGMA writable_schema=ON', ...statements, 'PRAGMA writable_schema=RESET'])
        database.execute(sql)
    })

  it('finds entries that an index lacks', async () => {
    const { recall, database } = await openStore(40)
    database.execute(`CREATE INDEX own_index ON files (name)`)
    database.execute(`CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'own_index'`)
    hack(database, `DELETE FROM sqlite_schema WHERE name = 'own_index'`)
    await recall.put({ id: 'late', body: 'late', files: [{ path: 'late.ts' }] })
    hack(database, `INSERT INTO sqlite_schema SELECT * FROM kept`)
    const { sqlite, problems } = await recall.integrityCheck()
    expect(sqlite).toBe('damaged')
    expect(problems).toEqual([
      'sqlite: wrong # of entries in index own_index',
      expect.stringMatching(/^sqlite: row \d+ missing from index own_index$/),
    ])
  })

  it('finds pages that nothing uses', async () => {
    const { recall, database } = await openStore(40)
    database.execute(`CREATE INDEX own_index ON files (name)`)
    hack(database, `DELETE FROM sqlite_schema WHERE name = 'own_index'`)
    const { sqlite, problems } = await recall.integrityCheck()
    expect(sqlite).toBe('damaged')
    expect(problems).toEqual([expect.stringMatching(/^sqlite: [^]*never used/)])
  })
})
