/**
 * [W3] [Q4] Checks posting lists after deletes: every word's list holds exactly the records that contain it, and two
 * words are found together wherever both occur. Compares with the texts themselves, in an index of small pages, where
 * long lists have doclist indexes.
 */
import { describe, expect, it } from 'vitest'
import { first } from '../../worker/sqlite/database.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { sizedSeeds } from '../support/data/sized.ts'
import { startOfTime } from '../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../support/stores/open-over.ts'
import { exported, imported } from '../support/stores/portable.ts'

const seeds = sizedSeeds(81, 6)
const commonWords = ['acorn', 'beech', 'cedar', 'maple', 'olive']
const rareWords = Array.from({ length: 40 }, (_, i) => `vole${String.fromCharCode(97 + (i % 26))}${i}`)

/** Blocks of records share a long word, so that whole lists go at once. */
function randomText(random: Random, block: number): string {
  const own = `wood${String.fromCharCode(97 + block)}`
  const many = Array.from({ length: 5 + random.below(30) }, () =>
    random.below(3) === 0 ? random.pick(commonWords) : own,
  )
  return [...many, random.pick(rareWords), random.pick(rareWords)].join(' ')
}

async function openSmallPages(): Promise<OpenedOver> {
  const opened = await openOver({})
  opened.database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('pgsz', 128)`)
  return opened
}

function keysBy({ database }: OpenedOver, expression: string): readonly number[] {
  const keys: number[] = []
  database.each(`SELECT rowid FROM record_fts WHERE record_fts MATCH ?`, [expression], (row) =>
    keys.push(row.number(0)),
  )
  return keys.sort((a, b) => a - b)
}

/** Faults of the index, found by the texts: in a word's list, and in some words together. */
function mistakes(opened: OpenedOver, random: Random): number {
  const texts = new Map<number, ReadonlySet<string>>()
  opened.database.each(`SELECT key, body FROM records`, [], (row) => {
    texts.set(row.number(0), new Set(row.text(1).split(' ')))
  })
  const holding = (...words: readonly string[]) =>
    [...texts]
      .filter(([, text]) => words.every((word) => text.has(word)))
      .map(([key]) => key)
      .sort((a, b) => a - b)
  const known = [...new Set([...texts.values()].flatMap((text) => [...text]))].sort()
  const words = [...new Set([...known, ...commonWords, ...rareWords])]
  const isWrong = (...asked: readonly string[]) =>
    `${keysBy(opened, asked.map((word) => `"${word}"`).join(' AND '))}` !== `${holding(...asked)}`
  const pairs = Array.from({ length: 150 }, () => [random.pick(words), random.pick(words)] as const)
  return words.filter((word) => isWrong(word)).length + pairs.filter((pair) => isWrong(...pair)).length
}

function flags({ database }: OpenedOver): number {
  return first(database, `SELECT count(*) FROM record_fts_idx WHERE pgno & 1`, [], (row) => row.number(0)) ?? 0
}

async function fill({ call }: OpenedOver, random: Random, now = startOfTime): Promise<void> {
  for (let block = 0; block < 6; block++) {
    const batch = Array.from({ length: 40 }, (_, i) => ({ id: `r${block}-${i}`, body: randomText(random, block) }))
    await call('put', { batch }, now)
  }
}

describe.each(seeds)('a random life, seed %i', (seed) => {
  it('[W3] [Q4] leaves an index that agrees with the texts', async () => {
    const random = createRandom(seed)
    const opened = await openSmallPages()
    await fill(opened, random)
    expect(flags(opened)).toBeGreaterThan(0)
    for (let round = 0; round < 12; round++) {
      const block = random.below(6)
      const ids = Array.from({ length: 40 }, (_, i) => `r${block}-${i}`)
      if (random.below(3) > 0) await opened.call('forget', { ids: random.shuffled(ids).slice(0, random.below(50)) })
      else {
        const batch = ids.slice(random.below(30)).map((id) => ({ id, body: randomText(random, random.below(8)) }))
        // An id given twice is written and overwritten in one transaction.
        const again = batch.slice(random.below(batch.length)).map(({ id }) => ({ id, body: randomText(random, block) }))
        await opened.call('put', { batch: [...batch, ...again] })
      }
      expect(mistakes(opened, random)).toBe(0)
      expect((await opened.call('integrityCheck', {})).problems).toEqual([])
    }
  })
})

describe.each(['merge', 'replace'] as const)('an import that is to %s', (mode) => {
  it('[W3] [Q4] leaves an index that agrees with the texts', async () => {
    const random = createRandom(88)
    const source = await openSmallPages()
    // Newer than the record it meets.
    await fill(source, random, startOfTime + 1000)
    const bytes = await exported(source)
    const opened = await openSmallPages()
    await fill(opened, createRandom(89))
    const { updated, inserted } = await imported(opened, bytes, mode)
    expect(updated + inserted).toBe(240)
    expect(mistakes(opened, random)).toBe(0)
    await opened.call('forget', { ids: Array.from({ length: 40 }, (_, i) => `r5-${i}`) })
    expect(mistakes(opened, random)).toBe(0)
  })
})

describe('the text index’s own tables', () => {
  it('are written by no other code, before and after', async () => {
    const opened = await openSmallPages()
    await fill(opened, createRandom(90))
    const write = () => opened.database.execute(`UPDATE record_fts_idx SET pgno = pgno`)
    expect(write).toThrow('may not be modified')
    await opened.call('forget', { ids: Array.from({ length: 40 }, (_, i) => `r5-${i}`) })
    expect(write).toThrow('may not be modified')
  })
})

describe('lists that go on', () => {
  it('keep their index: most of a long list is forgotten, not all', async () => {
    const opened = await openSmallPages()
    await fill(opened, createRandom(87))
    const before = flags(opened)
    await opened.call('forget', { ids: ['r0-0', 'r1-1', 'r2-2'] })
    expect(flags(opened)).toBeGreaterThan(before / 2)
  })
})

describe('control', () => {
  it('a delete that bypasses the store leaves an index that loses words, and keeps deleted ones', async () => {
    let wrong = 0
    for (const seed of seeds) {
      const random = createRandom(seed)
      const opened = await openSmallPages()
      await fill(opened, random)
      for (const block of [0, 1, 2, 3, 4]) {
        opened.database.transaction(() => {
          opened.database.execute(`DELETE FROM records WHERE id GLOB ?`, [`r${block}-*`])
        })
        wrong += mistakes(opened, random)
      }
    }
    expect(wrong).toBeGreaterThan(0)
  })
})
