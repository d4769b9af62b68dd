/**
 * Checks in random stores that a question whose words all exist is answered with and without correction alike, byte for byte, and
 * that a misspelt word is read as the word that a plain search in the records of the scope finds.
 */
import { describe, expect, test } from 'vitest'
import type { RecallQuery, Scope } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { stem } from '../../src/core/text/tokenise/stem.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { forgiven } from '../support/oracles/plain-edits.ts'
import { openEngine, type TestEngine } from '../support/stores/open-engine.ts'

const words =
  'jay jays acorn acorns nest nests nesting feather feathers forest forests winter winters migrate migration migrating database databases browser browsers'.split(
    ' ',
  )
/** Edits of these words that are words of English, or forms of one: nothing is misspelt. */
const wordsThatExist = new Set(
  'corn corns nets ness esting netsing father fathers forrest forrests fores inter inters'.split(' '),
)
const projects = ['wood', 'marsh'] as const
const stores = 4
const queriesOfStore = 40

interface Filled {
  readonly engine: TestEngine
  readonly records: readonly RecordInput[]
  readonly random: Random
}

async function filled(seed: number): Promise<Filled> {
  const random = createRandom(1900 + seed)
  const records = Array.from({ length: 30 }, (_, i) => ({
    id: `r${i}`,
    title: random.below(3) === 0 ? random.pick(words) : null,
    body: Array.from({ length: 1 + random.below(6) }, () => random.pick(words)).join(' '),
    project: random.pick(projects),
  }))
  const engine = await openEngine({ policy: policies.balanced })
  await engine.call('put', { batch: records })
  return { engine, records, random }
}

function wordsIn(records: readonly RecordInput[], { project }: Scope): readonly ReadonlySet<string>[] {
  return records
    .filter((record) => project === undefined || record.project === project)
    .map(({ title, body }) => new Set(`${title ?? ''} ${body}`.split(' ').filter((word) => word !== '')))
}

/** The answer to the query without its receipt, which names the query. */
async function answer(engine: TestEngine, query: RecallQuery): Promise<string> {
  const { receipt: _receipt, tookMs: _took, ...result } = await engine.call('recall', { query })
  return canonicalJson(result)
}

function anyScope(random: Random): Scope {
  return random.below(2) === 0 ? {} : { project: random.pick(projects) }
}

describe('a question whose words all exist', () => {
  test('is answered with and without correction alike, byte for byte', async () => {
    for (let seed = 1; seed <= stores; seed++) {
      const { engine, records, random } = await filled(seed)
      for (let i = 0; i < queriesOfStore; i++) {
        const scope = anyScope(random)
        const held = wordsIn(records, scope).flatMap((one) => [...one])
        const text = Array.from({ length: 1 + random.below(4) }, () => random.pick(held)).join(' ')
        const query: RecallQuery = {
          text: random.pick([text, `"${text}"`, `${text} -${random.pick(held)}`, `${text} last week`]),
          scope,
          ...(random.below(3) === 0 ? { prefix: 'last' as const } : {}),
          ...(random.below(3) === 0 ? { ledger: true } : {}),
          ...(random.below(4) === 0 ? { in: ['title', 'body'] as const } : {}),
        }
        const spelt = `store ${seed}: ${JSON.stringify(query)}`
        expect(await answer(engine, { ...query, typos: 'auto' }), spelt).toBe(
          await answer(engine, { ...query, typos: 'off' }),
        )
      }
    }
  })

  test('control: one misspelt word gives other bytes', async () => {
    const { engine } = await filled(1)
    const query = { text: 'acorn migartion' }
    expect(await answer(engine, query)).not.toBe(await answer(engine, { ...query, typos: 'off' }))
  })
})

describe('a misspelt word', () => {
  test('is read as the word that a plain search finds', async () => {
    let corrected = 0
    for (let seed = 1; seed <= stores; seed++) {
      const { engine, records, random } = await filled(seed)
      for (let i = 0; i < queriesOfStore; i++) {
        const text = edited(random.pick(words), random)
        if (wordsThatExist.has(text)) continue
        const scope = anyScope(random)
        const { plan } = await engine.call('recall', { query: { text, scope } })
        const read = plan.read.flatMap((reading) => (reading.kind === 'typo' ? [reading.as] : []))
        const expected = nearest(text, wordsIn(records, scope))
        expect(read, `store ${seed}: ${text} in ${JSON.stringify(scope)}`).toEqual(expected === null ? [] : [expected])
        if (expected !== null) corrected++
      }
    }
    expect(corrected).toBeGreaterThan(stores * 10)
  })
})

/** One letter left out, doubled or replaced, or two exchanged; sometimes twice. */
function edited(word: string, random: Random): string {
  const at = random.below(word.length)
  const [before, after] = [word.slice(0, at), word.slice(at)]
  const once = random.pick([
    before + after.slice(1),
    before + after[0]! + after,
    `${before}q${after.slice(1)}`,
    before + (after[1] ?? '') + after[0]! + after.slice(2),
  ])
  return once.length > 7 && random.below(3) === 0 ? edited(once, random) : once
}

function letters(word: string): string {
  return [...word].sort().join('')
}

/** Null if a record has a form of the word, or none has a near word. */
function nearest(typed: string, records: readonly ReadonlySet<string>[]): string | null {
  const withForm = (word: string) => records.filter((one) => [...one].some((held) => stem(held) === stem(word))).length
  if (withForm(typed) > 0) return null
  const [best] = [...new Set(records.flatMap((one) => [...one]))]
    .map((word) => ({ word, edits: forgiven(typed, word) }))
    .filter(({ edits }) => edits !== null)
    .sort(
      (a, b) =>
        a.edits! - b.edits! ||
        Number(a.word[0] !== typed[0]) - Number(b.word[0] !== typed[0]) ||
        Number(letters(a.word) !== letters(typed)) - Number(letters(b.word) !== letters(typed)) ||
        withForm(b.word) - withForm(a.word) ||
        (a.word < b.word ? -1 : 1),
    )
  return best?.word ?? null
}
