/** Tests that every walk over stored rows ends on trees whose pages are in a wrong order although each page has the right checksum. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openRecall, type Recall, RecallError } from '../../../../src/index.ts'
import { salvage } from '../../../../src/salvage/index.ts'
import { createEngineOver } from '../../../../worker/engine/engine.ts'
import { salvageOf } from '../../../../worker/salvage/salvage-of.ts'
import { initSqlite } from '../../../../worker/sqlite/init-sqlite.ts'
import { pageBytes } from '../../../../worker/sqlite/pages/page-file.ts'
import { encodeBatch, encodeState, logFormat } from '../../../../worker/storage/indexeddb/log-format.ts'
import { openDamagedLog } from '../../../../worker/storage/recovery/open-damaged.ts'
import { sizedTo } from '../../../support/data/sized.ts'
import { damages, endlessFreeList, endlessRow, multiply, treesOf } from '../../../support/stores/damaged-trees.ts'
import { engineOptions } from '../../../support/stores/engine-options.ts'
import { createMemoryByteStore } from '../../../support/stores/memory-byte-store.ts'
import { openPaged } from '../../../support/stores/open-paged.ts'
import { path } from './folder.ts'

const count = 600
const forgotten = 40
const slow = 600_000
/** How many times as many cases run in a long run. */
const size = sizedTo(1, 10)
const filled = new Map<number, Uint8Array>()
/** Trees that calls walk page by page. */
const walked = ['records', 'records_updated', 'vectors', 'vocabulary']

const vectorOf = (i: number) => Float32Array.from({ length: 8 }, (_, k) => Math.sin(i * 8 + k))
const embed = async (texts: readonly string[]) => texts.map(({ length }) => vectorOf(length))
const open = () => openRecall({ path, embedder: { space: 'eight', dimensions: 8, embed }, metadataKeys: ['shelf'] })

/** A file with the records, which is made once. */
async function fill(records = count): Promise<Uint8Array> {
  const known = filled.get(records) ?? (await fillNew(records))
  filled.set(records, known)
  return known.slice()
}

async function fillNew(records: number): Promise<Uint8Array> {
  const recall = await open()
  for (let from = 0; from < records; from += 300)
    await recall.put(
      Array.from({ length: 300 }, (_, k) => {
        const i = from + k
        return {
          id: `note-${i}`,
          title: `${String.fromCodePoint(97 + (i % 26))} title ${i}`,
          body: `The jay number ${i} hid word${i} under tree ${i % 7}. ${'Leaves and twigs. '.repeat(i === 9 ? 4_000 : i % 20)}`,
          tags: [`t${i % 5}`],
          metadata: { shelf: i % 3 },
          vectors: vectorOf(i),
        }
      }),
    )
  await recall.forget(Array.from({ length: forgotten }, (_, i) => `note-${i * 7}`))
  await recall.close()
  return new Uint8Array(readFileSync(path))
}

/** Runs what walks over rows. Returns the codes of errors; throws for an error without a code, or without a way out. */
async function walk(recall: Recall): Promise<Pick<Tried, 'codes' | 'isOk'>> {
  const codes: string[] = []
  let isOk: boolean | null = null
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof RecallError)) throw error
      expect(error.hint, error.message).toBeTruthy()
      codes.push(error.code)
    }
  }
  const listAll = async (filter: object) => {
    let cursor: string | null = null
    let seen = 0
    do {
      const page: Awaited<ReturnType<Recall['list']>> = await recall.list({ ...filter, limit: 400, cursor })
      seen += page.items.length
      cursor = page.nextCursor
    } while (cursor !== null && seen <= 10 * count)
    expect(seen, 'records of a list').toBeLessThanOrEqual(10 * count)
  }
  await attempt(async () => {
    isOk = (await recall.integrityCheck()).ok
  })
  for (const by of ['updatedAt', 'createdAt', 'title', 'occurredAt'] as const) {
    await attempt(() => listAll({ order: { by } }))
    await attempt(() => listAll({ order: { by }, tags: { any: ['t1', 't2', 't3'] } }))
  }
  await attempt(async () => {
    for await (const _ of recall.exportTo()) {
      // Only that it ends.
    }
  })
  await attempt(() => recall.recall({ text: 'jay under tree 3', limit: 20 }))
  await attempt(() => recall.recall({ vector: vectorOf(3), limit: 20 }))
  await attempt(() => recall.suggest('t'))
  await attempt(() => recall.facets({ keys: ['metadata.shelf'] }))
  await attempt(() => recall.put({ id: 'new', title: 'new', body: 'a new word' }))
  await attempt(() => recall.forget({ tags: { any: ['t4'] } }))
  await attempt(() => recall.compact())
  await attempt(() => recall.integrityCheck({ repair: true }))
  return { codes, isOk }
}

interface Tried {
  readonly codes: readonly string[]
  /** Records that a salvage kept. */
  readonly kept: number
  /** What the integrity check said; null if it could not run. */
  readonly isOk: boolean | null
}

/** Opens the file, walks over it, closes and salvages it. Returns the codes of errors, and the records that a salvage kept. */
async function tryAll(file: Uint8Array): Promise<Tried> {
  writeFileSync(path, file)
  let isOk: boolean | null = null
  const codes: string[] = []
  let kept = 0
  try {
    const salvaged = await salvage({ path })
    kept = salvaged.records
    for await (const _ of salvaged.exportTo()) {
      // Only that it ends.
    }
    salvaged.close()
  } catch (error) {
    codes.push(codeOf(error))
  }
  try {
    const recall = await open()
    const walked = await walk(recall)
    codes.push(...walked.codes)
    isOk = walked.isOk
    await recall.close()
  } catch (error) {
    codes.push(codeOf(error))
  }
  return { codes, kept, isOk }
}

function codeOf(error: unknown): string {
  if (error instanceof RecallError) return error.code
  throw error
}

describe('trees in a wrong order, with right checksums', () => {
  test(
    '[R11] every walk over stored rows ends with an answer or a typed error, and the check reports the damage',
    async () => {
      const sound = await fill()
      const trees = treesOf(sound)
      expect(trees.length).toBeGreaterThan(20)
      const control = await tryAll(sound)
      expect(control, 'control: the undamaged file is sound').toEqual({
        codes: [],
        kept: count - forgotten,
        isOk: true,
      })
      let refused = 0
      for (const [at, [how, damage]] of Object.entries(damages).entries()) {
        for (const [place, tree] of trees.entries()) {
          // A part of the trees for each damage, the most walked ones more often, and all of them in a long run.
          if (size === 1 && (place + at) % (walked.includes(tree.name) ? 5 : 96) !== 0) continue
          const file = sound.slice()
          if (!damage(file, tree)) continue
          const { codes, isOk } = await tryAll(file).catch((error: unknown) => {
            throw new Error(`${how}, ${tree.name}`, { cause: error })
          })
          expect(isOk, `${how}, ${tree.name}`).not.toBe(true)
          refused += codes.includes('STORE_CORRUPT') ? 1 : 0
        }
      }
      expect(refused).toBeGreaterThan(3)
    },
    slow,
  )

  test.each(['records', ...(size > 1 ? ['vectors', 'records_updated', 'events', 'metadata_values'] : [])])(
    '[R11] pages of %s that multiply do not multiply the work',
    async (name) => {
      const file = await fill(1_800)
      // A walk that follows every path of the multiplied tree takes hours, so the time limit of the test ends it.
      expect(multiply(file, treesOf(file).find((tree) => tree.name === name)!, 5)).toBe(true)
      const { isOk } = await tryAll(file)
      expect(isOk).not.toBe(true)
    },
    slow,
  )

  test('[R11] a row whose pages are a cycle ends', async () => {
    const file = await fill()
    expect(endlessRow(file, treesOf(file).find(({ name }) => name === 'records')!)).toBe(true)
    const { isOk } = await tryAll(file)
    expect(isOk).not.toBe(true)
  })

  test('[R11] a list of free pages without an end stops compacting and closing', async () => {
    const file = await fill()
    expect(endlessFreeList(file)).toBe(true)
    const { codes, isOk } = await tryAll(file)
    expect(codes).toContain('STORE_CORRUPT')
    expect(isOk).not.toBe(true)
  })

  test.each([
    ['retention of a put', (recall: Recall) => recall.put({ id: 'new', body: 'a new word' })],
    ['retention', (recall: Recall) => recall.retain()],
    ['forgetting of a scope', (recall: Recall) => recall.forget({ tags: { any: ['t0', 't1', 't2', 't3', 't4'] } })],
  ])('[R11] %s ends although the index of ids lacks the records that are due', async (_, work) => {
    const file = await fill(1_500)
    const ids = treesOf(file).find(({ name }) => name === 'sqlite_autoindex_records_1')!
    expect(damages['all children are the first one']!(file, ids)).toBe(true)
    writeFileSync(path, file)
    const recall = await openRecall({ path, embedder: null, retention: { maxRecords: 10 } })
    await expect(work(recall)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await recall.close()
  })

  test('[R11] the same damage in a page log is reported and salvaged', async () => {
    const file = await fill()
    expect(damages['keys of a page descend']!(file, treesOf(file).find(({ name }) => name === 'records')!)).toBe(true)
    // A page log has no other journal.
    file.fill(1, 18, 20)
    const pageCount = new DataView(file.buffer, file.byteOffset).getUint32(28)
    const numbers = Array.from({ length: pageCount }, (_, i) => i)
    const pages = numbers.map((number) => file.slice(number * pageBytes, (number + 1) * pageBytes))
    const { put, checksum } = encodeBatch(1, '0'.repeat(16), { pageCount, numbers, pages })
    const log = createMemoryByteStore([
      put,
      ...encodeState({ format: logFormat, sequence: 1, chain: checksum, isErasing: false }),
    ])
    const engine = createEngineOver(await openPaged(log), { ...engineOptions, metadataKeys: ['shelf'] }, null)
    const report = await engine.call('integrityCheck', {}, { now: 0 })
    expect(report).toMatchObject({ ok: false, sqlite: 'damaged', derived: 'damaged' })
    const { receipt, close } = await salvageOf(async () => openDamagedLog(await initSqlite(), 'log', log))
    expect(receipt.records + receipt.unreadable).toBeGreaterThan(0)
    close()
  })

  test('[R11] a salvage without any complete list of records ends', async () => {
    const file = await fill()
    const [records, ids, updated] = ['records', 'sqlite_autoindex_records_1', 'records_updated'].map(
      (name) => treesOf(file).find((tree) => tree.name === name)!,
    )
    for (const tree of [records!, ids!, updated!]) damages['a page is its own child']!(file, tree)
    writeFileSync(path, file)
    const salvaged = await salvage({ path })
    expect(salvaged.isCountExact).toBe(false)
    expect(salvaged.records).toBeGreaterThan(0)
    salvaged.close()
  })
})
