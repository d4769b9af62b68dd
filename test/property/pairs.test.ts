/**
 * [G3] [Q4] [D3] Compares scores of adjacent words with a second implementation that reads the texts: for each two
 * adjacent words of the question, the idf of the commoner one where the record has them adjacent, too.
 */
import { describe, expect, it } from 'vitest'
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { parseText } from '../../src/core/query/parse-text.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { openEngine } from '../support/stores/open-engine.ts'

const { balanced } = policies
const seeds = [71, 72, 73, 74]
const words = ['jay', 'acorn', 'oak', 'nest', 'wren', 'moss']

function policyWith(pairs: number): ConvexPolicy {
  return { ...balanced, fusion: { ...balanced.fusion, pairs } }
}

function randomRecord(random: Random, i: number): RecordInput {
  const text = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.pick(words)).join(' ')
  return { id: `r${i}`, title: text(2), body: text(7), project: random.pick(['wood', 'town']) }
}

/** Of records in the question's scope: the share by id, for those that have any. */
function sharesOf(records: readonly RecordInput[], question: readonly string[]): ReadonlyMap<string, number> {
  const texts = records.map(({ id, title, body }) => ({
    id: id!,
    fields: [title, body].map((t) => `${t}`.split(' ')),
  }))
  const rarity = (word: string) => {
    const df = texts.filter(({ fields }) => fields.some((field) => field.includes(word))).length
    return Math.log(1 + (texts.length - df + 0.5) / (df + 0.5))
  }
  const asked = new Map<string, readonly [string, string]>()
  for (let i = 1; i < question.length; i++) {
    const pair = [question[i - 1]!, question[i]!] as const
    if (pair[0] !== pair[1]) asked.set(pair.join(' '), pair)
  }
  const found = texts.map(({ id, fields }) => {
    let sum = 0
    for (const [first, second] of asked.values()) {
      const beside = fields.some((field) => field.some((word, i) => word === first && field[i + 1] === second))
      if (beside) sum += Math.min(rarity(first), rarity(second))
    }
    return [id, sum / asked.size / Math.log(1 + texts.length)] as const
  })
  return new Map(found.filter(([, share]) => share > 0))
}

describe.each(seeds)('a random store, seed %i', async (seed) => {
  const random = createRandom(seed)
  const records = Array.from({ length: 120 }, (_, i) => randomRecord(random, i))
  const { call } = await openEngine({})
  await call('put', { batch: records })
  const ask = async (query: RecallQuery, weight: number) => {
    const policy = policyWith(weight)
    const { hits } = await call('recall', { query: { collapse: 'none', limit: 1000, ...query, policy } })
    return hits
  }
  const questions = Array.from({ length: 12 }, (_, i) => ({
    asked: Array.from({ length: 2 + random.below(5) }, () => random.pick(words)),
    scope: i % 2 === 0 ? undefined : 'wood',
  }))

  it.each(questions)('[G3] [Q4] a pair counts as the texts say: %j', async ({ asked, scope }) => {
    const query = { text: asked.join(' '), ...(scope === undefined ? {} : { scope: { project: scope } }) }
    const inside = records.filter(({ project }) => scope === undefined || project === scope)
    const expected = sharesOf(inside, asked)
    const plain = new Map((await ask(query, 0)).map(({ id, score }) => [id, score]))
    const hits = await ask(query, 0.5)
    expect(hits.length).toBe(plain.size)
    for (const { id, score, contributions } of hits) {
      const own = contributions.find(({ signal }) => signal === 'pairs')
      expect(own?.value ?? 0, id).toBeCloseTo(expected.get(id) ?? 0, 12)
      expect(score - plain.get(id)!).toBeCloseTo(0.5 * (expected.get(id) ?? 0), 12)
    }
  })

  it('control: words in the other order are another pair', () => {
    const differs = questions.some(({ asked }) => {
      const [one, two] = [sharesOf(records, asked), sharesOf(records, [...asked].reverse())]
      return [...one].some(([id, share]) => Math.abs(share - (two.get(id) ?? 0)) > 1e-3)
    })
    expect(differs).toBe(true)
  })
})

describe('a clock at −0', () => {
  it('means 0 in the receipt', async () => {
    const { call } = await openEngine({})
    const { receipt } = await call('recall', { query: { text: 'jay', now: -0 } })
    expect(receipt.now).toBe(0)
  })
})

describe('pairs of a question', () => {
  const pairsOf = (text: string, prefix: 'last' | 'none' = 'none') => {
    const { pairs, terms } = parseText(text, { prefix, stemmer: 'porter', lexical: balanced.lexical })
    for (const { terms: ends } of pairs) for (const end of ends) expect(terms[end]).toBeDefined()
    return pairs.map(({ phrase }) => phrase)
  }

  it.each([
    ['when does the deploy window of Mira open', ['"deploy window"', '"window mira"', '"mira open"']],
    ['nest nests nesting', []],
    ['oak nest oak nest', ['"oak nest"', '"nest oak"']],
    ['what is it', []],
    ['', []],
    ['"blue jay" feather colour', ['"feather colour"']],
    ['松鸦记得橡果 oak nest', ['"oak nest"']],
  ])('%j has %j', (text, expected) => {
    expect(pairsOf(text)).toEqual(expected)
  })

  it('a word still being typed is in no pair', () => {
    expect(pairsOf('blue jay feath', 'last')).toEqual(['"blue jay"'])
  })

  it('the plan has at most its maximum of pairs, and only of words that are terms', () => {
    const many = Array.from({ length: 400 }, (_, i) => `word${i}`).join(' ')
    expect(pairsOf(many)).toHaveLength(32)
  })
})
