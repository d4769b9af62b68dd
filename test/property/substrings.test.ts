/**
 * Compares the substring index with `includes` on whole texts: random stores with histories of puts, patches and
 * forgets, of texts that fold, cut and join in difficult ways. Checks matches, strengths, and that no forgotten text
 * is found.
 */
import { describe, expect, it } from 'vitest'
import type { RecordInput, StoredRecord } from '../../src/core/model/record.ts'
import { ctxsiftTerms } from '../../src/core/text/tokenise/path-tokens.ts'
import { atOnce } from '../../worker/scheduling/steps.ts'
import type { KeySet, SubstringHits } from '../../worker/store/port/store.ts'
import type { SqliteStore } from '../../worker/store/sqlite-store.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { type OpenedStore, openStore } from '../support/stores/open-store.ts'
import { strengthsOf } from '../support/substring-oracle.ts'

const stores = 40
const steps = 12
const questions = 6
const firstSeed = 310_000

const seeds = Array.from({ length: stores / 10 }, (_, i) => firstSeed + i * 10)

describe.each(seeds)('stores from seed %i', (from) => {
  it('[W3] [V3] finds every record that holds the query or a term, with the strength that `includes` gives', async () => {
    const opened = await openStore()
    for (let seed = from; seed < from + 10; seed++) {
      const random = createRandom(seed)
      for (let step = 0; step < steps; step++) {
        write(opened, random)
        for (let i = 0; i < questions; i++) {
          const query = randomQuery(opened.store, random)
          const scopeKeys = random.below(4) === 0 ? opened.store.scopeKeys({ project: 'p' }) : null
          const what = `seed ${seed}, step ${step}, query ${JSON.stringify(query)}`
          expect(found(opened.store, query, scopeKeys), what).toEqual(expected(opened.store, query, scopeKeys))
        }
      }
      const query = randomQuery(opened.store, random)
      expect(opened.store.substrings(query, ctxsiftTerms(query), null)).toEqual(
        opened.again().substrings(query, ctxsiftTerms(query), null),
      )
      atOnce(opened.store.forget(opened.store.ids({}), 0))
    }
  })
})

describe('control', () => {
  const wrong = {
    'whole runs only': (text: string, part: string) => text === part || ctxsiftTerms(text).includes(part),
    'all terms for the whole query': (text: string, part: string) =>
      ctxsiftTerms(part).every((term) => text.includes(term)),
    'case as written': (text: string, part: string) => text.includes(part.toUpperCase()),
  }
  it.each(Object.entries(wrong))('control: an oracle of %s disagrees', async (_name, holds) => {
    let differences = 0
    for (let seed = firstSeed; seed < firstSeed + 5; seed++) {
      const random = createRandom(seed)
      const opened = await openStore()
      for (let step = 0; step < 5; step++) write(opened, random)
      for (let i = 0; i < 20; i++) {
        const query = randomQuery(opened.store, random)
        const actual = JSON.stringify(found(opened.store, query, null))
        if (actual !== JSON.stringify(expected(opened.store, query, null, holds))) differences++
      }
    }
    expect(differences).toBeGreaterThan(5)
  })
})

const awkward = [
  ['a', 'b', 'ab', 'A', 'the', 'THE', 'in', 'test', 'auth', '1', '½', '_', '.', '/', '\\', ':', '-'],
  [' ', ' ', ' ', ' ', '  ', '\n', '\t', '"', '?', '(', ', ', '\0', '\ufeff', '\u00a0'],
  ['ß', 'SS', 'ẞ', 'ﬁ', 'İ', 'i', 'I', 'ı', 'i\u0307', 'Σ', 'ς', 'σ', '\u212a', 'k', 'Å', 'å', 'Ⓐ', 'ⓐ'],
  [
    'é',
    'e\u0301',
    '\u0301',
    'É',
    '図書館',
    '図',
    '書',
    'ไทย',
    '한국',
    'ก็',
    '🤔',
    '\ud83e',
    '👩\u200d💻',
    '𝐀',
    '\u{10d50}',
  ],
].flat()

function randomText(random: Random): string {
  return Array.from({ length: 1 + random.below(12) }, () => random.pick(awkward)).join('')
}

function randomPath(random: Random): string {
  const parts = ['a', 'b', 'src', 'Test', 'auth.py', 'auth', 'ß', 'the', 'a b', '図', '.', 'c:', 'é']
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(parts)).join(random.pick(['/', '/', '\\']))
}

function randomFields(random: Random): Partial<RecordInput> {
  const fields: Partial<RecordInput>[] = [
    { body: random.pick([null, randomText(random), 'the auth test in a']) },
    { instruction: random.pick([null, '', randomText(random)]) },
    { command: random.pick([null, randomText(random), 'pytest -q tests/test_auth.py']) },
    { files: Array.from({ length: random.below(3) }, () => ({ path: randomPath(random) })) },
    { project: random.pick([null, 'p']) },
  ]
  return Object.assign({}, ...random.shuffled(fields).slice(0, 1 + random.below(5)))
}

function write({ store, put, patch }: OpenedStore, random: Random): void {
  const id = () => `r${random.below(12)}`
  const dice = random.below(10)
  if (dice < 5)
    put(Array.from({ length: 1 + random.below(5) }, () => ({ id: id(), title: 'some', ...randomFields(random) })))
  else if (dice < 7) {
    const known = id()
    if (store.keyOf(known) !== undefined) patch(known, randomFields(random))
  } else atOnce(store.forget([id(), id()], 0))
}

function newest(store: SqliteStore): readonly StoredRecord[] {
  return store.hydrate(
    store.page({ by: 'updatedAt', direction: 'desc', after: null, among: null, records: 100, limit: 100 }),
  )
}

/** A part of a stored text, cut by UTF-16 units, or another text. */
function randomQuery(store: SqliteStore, random: Random): string {
  const stored = newest(store)
    .flatMap(({ body, instruction, command, files }) => [body, instruction, command, ...files.map(({ path }) => path)])
    .filter((text) => text !== null)
  const dice = random.below(5)
  if (dice === 0 || stored.length === 0) return randomText(random)
  if (dice === 1) return random.pick(awkward)
  const text = random.pick(stored)
  const from = random.below(text.length + 1)
  const part = text.slice(from, from + 1 + random.below(text.length))
  return random.pick([part, part.toUpperCase(), ` ${part}\n`, `${part} ${random.pick(awkward)}`])
}

type Found = readonly (readonly [key: number, instruction: number, body: number, command: number, paths: number])[]

function found(store: SqliteStore, query: string, scopeKeys: KeySet | null): Found {
  const hits: SubstringHits = store.substrings(query, ctxsiftTerms(query), scopeKeys)
  return Array.from(hits.keys, (key, i) => [key, hits.instruction[i]!, hits.body[i]!, hits.command[i]!, hits.paths[i]!])
}

function expected(
  store: SqliteStore,
  query: string,
  scopeKeys: KeySet | null,
  holds?: (text: string, part: string) => boolean,
): Found {
  const inside = scopeKeys === null ? null : new Set(scopeKeys.keys)
  return newest(store)
    .map((record) => {
      const paths = record.files.map(({ path }) => path)
      const { instruction, body, command, paths: best } = strengthsOf({ ...record, paths }, query, holds)
      return [store.keyOf(record.id)!, instruction, body, command, best] as const
    })
    .filter(([key, ...strengths]) => (inside === null || inside.has(key)) && strengths.some((strength) => strength > 0))
    .sort(([a], [b]) => a - b)
}
