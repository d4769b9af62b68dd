/**
 * Tests posting lists, read both ways, against MATCH, `fts5vocab` and a brute-force count, through the life of a
 * table.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostingsReader, type PostingList, type PostingsReader } from '../../../worker/sqlite/fts5/postings.ts'
import { samePostings } from '../../../worker/sqlite/fts5/postings-list.ts'
import { createPlainReader } from '../../../worker/sqlite/fts5/postings-plain.ts'
import {
  type Columns,
  compoundPhrases,
  createOracle,
  createRandom,
  createRecord,
  everyPhrase,
  openFixture,
  type PostingsFixture,
} from './postings-fixture.ts'

/** More than the 4,096 rows of the first buffer of a list. */
const recordCount = 4200
const empty: Columns = ['', '', '', '', '', '', '']

let store: PostingsFixture
let bridge: PostingsReader
let plain: PostingsReader

beforeEach(async () => {
  store = await openFixture()
  bridge = createPostingsReader(store.sqlite3, store.pointer, 'record_fts')
  plain = createPlainReader(store.sqlite3, store.pointer, 'record_fts', 'test')
})

afterEach(() => {
  bridge.close()
  plain.close()
  store.close()
})

describe('a table of 4,200 records', () => {
  let random: () => number

  beforeEach(() => {
    random = createRandom(20_261_121)
    store.exec('BEGIN')
    for (let i = 1; i <= recordCount; i++) store.put(i * 3, createRecord(random))
    store.exec('COMMIT')
  })

  it('[D3] reads the same lists whatever the history: bulk insert, open transaction, rollback, deletes, optimize', () => {
    expect(bridge.mode).toBe('bridge')
    expectAllEqual('after the bulk insert')

    const before = new Map(store.records)
    store.exec('BEGIN')
    for (let i = 0; i < 300; i++) store.put(50_000 + i, createRecord(random))
    expectAllEqual('inserts in an open transaction')
    for (let key = 21; key <= 3 * recordCount; key += 21) store.remove(key)
    for (let key = 33; key <= 3 * recordCount; key += 33) store.put(key, createRecord(random))
    expectAllEqual('deletes and updates in an open transaction')
    store.exec('ROLLBACK')
    store.records.clear()
    for (const [key, record] of before) store.records.set(key, record)
    expectAllEqual('after the rollback')

    store.exec('BEGIN')
    for (let key = 15; key <= 3 * recordCount; key += 15) store.remove(key)
    for (let key = 39; key <= 3 * recordCount; key += 39) store.put(key, createRecord(random))
    store.exec('COMMIT')
    expectAllEqual('after deletes and updates')
    store.exec(`INSERT INTO record_fts(record_fts) VALUES ('optimize')`)
    expectAllEqual('after optimize')
  })

  it('[Q4] never cuts a list that is longer than the first buffer', () => {
    const [common] = bridge.read(['"the"'])
    expect(common?.keys.length).toBe(recordCount)
    expect(bridge.read(['"the"', '"q0x"', '"the"'])[2]).toEqual(common)
  })

  it('counts the same as an fts5vocab instance table', () => {
    store.exec(`CREATE VIRTUAL TABLE temp.oracle USING fts5vocab(main, record_fts, instance)`)
    for (const word of ['cell', 'studi', 'run', 'cafe', 'q0x', 'q77x', '東京', 'the']) {
      const rows = store.rows(
        `SELECT doc, count(*), sum(col = 'title') FROM temp.oracle WHERE term = ? GROUP BY doc ORDER BY doc`,
        [word],
      )
      const [found] = bridge.read([`"${word}"`])
      expect(Array.from(found?.keys ?? [], (key, i) => [key, found?.counts[i], found?.titleCounts[i]])).toEqual(rows)
      expect(rows.length).toBeGreaterThan(0)
    }
  })

  it('reads one phrase, 256 phrases and the same phrase twice', () => {
    const oracle = createOracle(store.records)
    expect(samePostings(bridge.read(['"q5x"']), [oracle('"q5x"')])).toBe(true)
    const many = everyPhrase().slice(0, 256)
    const lists = bridge.read(many)
    expect(lists.length).toBe(256)
    expect(samePostings(lists, plain.read(many))).toBe(true)
    const [first, second] = bridge.read(['"q5x"', '"q5x"'])
    expect(second).toEqual(first)
  })

  it('returns empty lists for absent words, alone or among others', () => {
    expect(bridge.read(['"absent"', '"nowhere"']).map(({ keys }) => keys.length)).toEqual([0, 0])
    const [absent, present] = bridge.read(['"absent"', '"q5x"'])
    expect(absent?.keys.length).toBe(0)
    expect(present?.keys.length).toBeGreaterThan(0)
  })

  it('gives lists that later reads do not change', () => {
    const [first] = bridge.read(['"q5x"'])
    const copy = { ...first, keys: first?.keys.slice() }
    bridge.read(['"the"', '"q6x"'])
    expect(first?.keys).toEqual(copy.keys)
  })

  it('[Q1] a lone surrogate is a separator and swallows no quote', () => {
    const plainly = bridge.read(['"q5x"', '"q6x"'])
    for (const half of ['\uD83D', '\uDC26']) {
      expect(samePostings(bridge.read([`"q5x${half}"`, `"${half}q6x"`]), plainly)).toBe(true)
    }
  })

  it('[Q1] no phrase text breaks the reader or its neighbours, and both ways agree on it', () => {
    const codeUnit = fc.oneof(
      fc.constantFrom(
        ...'"*^:()+-{}\\ \t\n',
        'q',
        '0',
        'x',
        '東',
        '\uD800',
        '\uDC00',
        '\u0301',
        '\u00AD',
        'É',
        '\uFFFF',
        '\u{1F426}',
      ),
      fc.integer({ min: 1, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    )
    const hostile = fc
      .tuple(
        fc.array(fc.oneof(codeUnit, fc.constantFrom(' OR ', ' NEAR(', 'q1x', ' AND NOT ')), { maxLength: 12 }),
        fc.constantFrom('', '*'),
      )
      .map(([units, star]) => `"${units.join('').replaceAll('"', '""')}"${star}`)
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 6 }), (phrases) => {
        const asked = ['"q300x"', ...phrases, '"q301x"']
        const lists = bridge.read(asked)
        expect(samePostings(lists, plain.read(asked))).toBe(true)
        expect(samePostings([lists[0], lists.at(-1)] as PostingList[], bridge.read(['"q300x"', '"q301x"']))).toBe(true)
      }),
      { seed: 541, numRuns: 60 },
    )
  })

  function expectAllEqual(moment: string): void {
    const phrases = [...everyPhrase(), ...compoundPhrases]
    const oracle = createOracle(store.records)
    const found = bridge.read(phrases)
    const counted = phrases.map(oracle)
    const wrong = phrases.filter((_, i) => !samePostings([found[i]] as PostingList[], [counted[i]] as PostingList[]))
    expect(wrong, moment).toEqual([])
    expect(samePostings(found, plain.read(phrases)), `plain, ${moment}`).toBe(true)
    const unlike = phrases.filter((phrase, i) => found[i]?.keys.join() !== store.matches(phrase).join())
    expect(unlike, `MATCH, ${moment}`).toEqual([])
    expect(found.filter(({ keys }) => keys.length > 0).length).toBeGreaterThan(440)
    expect(found.some(({ titleCounts }) => titleCounts.some((count) => count > 1))).toBe(true)
  }
})

describe('small tables', () => {
  it('[Q2] reads nothing from an empty table and nothing for no phrases', () => {
    for (const reader of [bridge, plain]) {
      expect(reader.read(['"q1x"', '"the the"', '"q"*']).map(({ keys }) => keys.length)).toEqual([0, 0, 0])
      expect(reader.read([])).toEqual([])
    }
  })

  it('saturates counts at 65,535 and title counts at 255', () => {
    store.put(1, ['often '.repeat(300), '', 'often '.repeat(70_000), '', '', '', ''])
    store.put(2, ['often '.repeat(255), '', 'often '.repeat(65_280), '', '', '', ''])
    store.put(3, ['often '.repeat(254), '', '', '', '', '', ''])
    for (const reader of [bridge, plain]) {
      const [found] = reader.read(['"often"'])
      expect(Array.from(found?.counts ?? [])).toEqual([65_535, 65_535, 254])
      expect(Array.from(found?.titleCounts ?? [])).toEqual([255, 255, 254])
    }
  })

  it('keeps phrases inside one column and counts overlapping ones', () => {
    store.put(1, ['left', 'right', '', '', '', '', ''])
    store.put(2, ['', '', 'very very very', '', '', '', ''])
    for (const reader of [bridge, plain]) {
      const [across, overlapping] = reader.read(['"left right"', '"very very"'])
      expect(across?.keys.length).toBe(0)
      expect(Array.from(overlapping?.counts ?? [])).toEqual([2])
    }
  })

  it('accepts the largest 32-bit rowid and refuses the next', () => {
    store.put(0xffffffff, ['edge', ...empty.slice(1)])
    for (const reader of [bridge, plain])
      expect(Array.from(reader.read(['"edge"'])[0]?.keys ?? [])).toEqual([0xffffffff])
    store.put(0x100000000, ['edge', ...empty.slice(1)])
    for (const reader of [bridge, plain]) expect(() => reader.read(['"edge"'])).toThrow(/posting list|32 bits/)
    store.remove(0x100000000)
    store.put(-1, ['edge', ...empty.slice(1)])
    for (const reader of [bridge, plain]) expect(() => reader.read(['"edge"'])).toThrow(/posting list|32 bits/)
  })

  it('[W3] forgets a record in the read after its removal', () => {
    store.put(1, ['canary', ...empty.slice(1)])
    expect(bridge.read(['"canary"'])[0]?.keys.length).toBe(1)
    store.remove(1)
    for (const reader of [bridge, plain]) expect(reader.read(['"canary"'])[0]?.keys.length).toBe(0)
  })

  it('reads after a rollback that removed the temporary tables of the plain way', () => {
    store.exec('BEGIN')
    store.put(1, ['kept', ...empty.slice(1)])
    expect(plain.read(['"kept"'])[0]?.keys.length).toBe(1)
    store.exec('ROLLBACK')
    expect(plain.read(['"kept"'])[0]?.keys.length).toBe(0)
    expect(bridge.read(['"kept"'])[0]?.keys.length).toBe(0)
  })

  it('refuses anything except one complete phrase, before SQLite sees it', () => {
    const broken = ['', '"', '*', 'word', '"a" OR "b"', '"a', 'a"', '"a"b"', '"a"**', '"a\0b"', '-"a"', '"a" *']
    for (const reader of [bridge, plain]) {
      for (const phrase of broken) expect(() => reader.read([phrase]), phrase).toThrow(/complete FTS5 phrases/)
    }
  })

  it('[D2] changes no row: the bridge does not touch the change counter', () => {
    store.put(1, ['still', ...empty.slice(1)])
    const before = store.sqlite3.capi.sqlite3_total_changes(store.pointer)
    bridge.read(['"still"', '"absent"'])
    expect(store.sqlite3.capi.sqlite3_total_changes(store.pointer)).toBe(before)
  })
})

it('[L1] reads where phrases are in long records, with the bridge and without it; of others nothing', () => {
  const words = Array.from({ length: 3000 }, (_, i) => (i % 7 === 0 ? 'jay' : `w${i}x`))
  store.put(3, ['jay', 'a jay', words.join(' '), '', '', '', ''])
  store.put(9, ['', '', 'jay jay', '', '', '', ''])
  const long = Uint8Array.of(0b1000, 0)
  const phrases = ['"jay"', '"jay w1x"', '{body} : "jay"', '"absent"', '"w29"*']
  const lists = bridge.read(phrases, long)
  expect(samePostings(lists, plain.read(phrases, long))).toBe(true)
  const body = words.flatMap((word, i) => (word === 'jay' ? [0, 2 * 2 ** 24 + i] : []))
  expect([...lists[0]!.places]).toEqual([0, 0, 0, 2 ** 24 + 1, ...body])
  expect([...lists[1]!.places]).toEqual([0, 2 * 2 ** 24])
  expect([...lists[2]!.places]).toEqual(body)
  expect(bridge.read(phrases).every(({ places }) => places.length === 0)).toBe(true)
})

it('the comparison detects one wrong key, count or title count, and a missing row or list', () => {
  const make = (): PostingList => ({
    keys: Uint32Array.of(1, 2),
    counts: Uint16Array.of(1, 3),
    titleCounts: Uint8Array.of(0, 1),
    places: Uint32Array.of(0, 2),
  })
  expect(samePostings([make()], [make()])).toBe(true)
  for (const name of ['keys', 'counts', 'titleCounts', 'places'] as const) {
    const corrupted = make()
    corrupted[name][1] = 9
    expect(samePostings([make()], [corrupted]), name).toBe(false)
    expect(samePostings([make()], [{ ...make(), [name]: make()[name].slice(0, 1) }]), name).toBe(false)
  }
  expect(samePostings([make()], [])).toBe(false)
  expect(samePostings([], [make()])).toBe(false)
})
