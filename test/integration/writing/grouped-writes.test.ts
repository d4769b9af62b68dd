/** Checks that many records of one call are written as they would be in one call each, with histories, links, facts, passages and chunks. */
import { expect, test } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { checkTextIndex, dump } from '../../support/stores/dump.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

const space = { name: 'four', dimensions: 4 }
const vectorOf = (i: number) => Float32Array.from({ length: 4 }, (_, at) => ((i * 31 + at * 7) % 17) - 8.5)
const chunksOf = (i: number) =>
  Array.from({ length: 1 + (i % 3) }, (_, at) => ({ vector: vectorOf(i * 3 + at), from: at, to: at + 2 }))

/** More than two groups hold. */
const total = 70
const now = 1_800_000_000_000
const idOf = (i: number) => `r${String(i % total).padStart(2, '0')}`
const places = Array.from({ length: total }, (_, i) => i)

type Given = RecordInput & { readonly id: string }

function recordOf(i: number): Given {
  const isFact = i % 10 === 3
  const long = `A long report ${i}. ${`It says something of number ${i}. `.repeat(150)}`
  return {
    id: idOf(i),
    body: i % 9 === 0 ? long : i % 7 === 0 ? `I prefer tea ${i}` : `short note ${i} of 2026-03-0${1 + (i % 9)}`,
    tags: [`even ${i % 2}`],
    metadata: { n: i, ...(isFact ? { extracted: true } : {}) },
    vectors: chunksOf(i),
    ...(i % 5 === 0 ? { cycles: [{ periodSeconds: 86_400, amplitude: 0.5, phaseSeconds: 0 }] } : {}),
    ...(isFact ? { kind: 'fact', relations: [{ kind: 'derived_from', target: idOf(i - 1) }] } : {}),
  }
}

async function filled(history: boolean): Promise<OpenedOver> {
  const opened = await openOver({ space, metadataKeys: ['n'], history })
  await opened.call('put', { batch: places.map(recordOf) }, now)
  for (const i of places.filter((place) => place % 4 === 0))
    await opened.call('link', { a: idOf(i), b: idOf(i + 13), weight: 0.5 }, now)
  await opened.call('acknowledge', { of: [idOf(10), idOf(15)], outcomes: { [idOf(10)]: 'acted' } }, now)
  await opened.call('patch', { id: idOf(12), fields: { status: 'superseded', supersededBy: idOf(14) } }, now)
  return opened
}

/** All rows that do not say how many calls and statements were made. */
async function contentOf({ call, database }: OpenedOver): Promise<string> {
  expect(await call('integrityCheck', {}, now)).toMatchObject({ ok: true, problems: [] })
  checkTextIndex(database)
  const log = all(
    database,
    `SELECT kind, id FROM events ORDER BY kind, id`,
    [],
    (row) => `${row.text(0)} ${row.text(1)}`,
  )
  const versions = all(database, `SELECT id, length(content) FROM versions ORDER BY seq`, [], (row) =>
    [row.text(0), row.text(1)].join(' '),
  )
  const counted = ['events', 'versions', 'settings', 'record_fts_data', 'record_fts_idx', 'record_fts_config']
  return [dump(database, counted), ...log, ...versions].join('\n')
}

const some = places.filter((i) => i % 6 !== 5).map(idOf)

test.each([false, true])('[W3] forgetting many leaves what forgetting each leaves (history: %s)', async (history) => {
  const [together, each] = [await filled(history), await filled(history)]
  await together.call('forget', { ids: some }, now)
  for (const id of some) await each.call('forget', { ids: [id] }, now)
  expect(await contentOf(together)).toBe(await contentOf(each))
  for (const id of some)
    expect(await together.call('verifyForgotten', { id }, now)).toMatchObject({ clean: true, vectors: 0 })
  // The facts 23 and 53 die with the turns 22 and 52.
  const left = places.filter((i) => i % 6 === 5 && i !== 23 && i !== 53)
  const vectors = all(together.database, `SELECT count(*) FROM vectors`, [], (row) => row.number(0))[0]
  expect(vectors).toBe(left.reduce((sum, i) => sum + chunksOf(i).length, 0))
})

test('control: one record less leaves other rows', async () => {
  const [together, each] = [await filled(false), await filled(false)]
  await together.call('forget', { ids: some }, now)
  for (const id of some.slice(1)) await each.call('forget', { ids: [id] }, now)
  expect(await contentOf(together)).not.toBe(await contentOf(each))
})
