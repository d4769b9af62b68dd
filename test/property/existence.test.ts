/**
 * [Q3] Checks that the existence check says "surely not" exactly where the scope holds no word of a text, and that it
 * hides nothing: the channels it skips would find nothing.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { withoutHeldBack } from '../../src/core/query/read-signs.ts'
import { stem } from '../../src/core/text/tokenise/stem.ts'
import { tokenise } from '../../src/core/text/tokenise/tokenise.ts'
import { openEngine, startOfTime, type TestEngine } from '../support/stores/open-engine.ts'

const bodies = [
  'the jay hides acorns in src/nest.ts',
  'NestError TS2307 in "winter quarters"',
  'Über den Wipfeln: größere Vögel',
  '松鸦储存橡子过冬',
  'to be or not to be',
  'raised in worker/deep/cache.rs: cannot find module left-pad',
]
const records = bodies.map((body, i) => ({ id: `r${i}`, body, project: i % 2 === 0 ? 'even' : 'odd' }))

let opened: TestEngine
beforeAll(async () => {
  opened = await openEngine()
  await opened.call('put', { batch: records })
})

const texts = fc
  .array(
    fc.constantFrom(
      ...('jay acorn hiding nest.ts src/nest.ts NestError TS2307 "winter quarters" "jay winter" the to be not zebra quartz.ts vogel 松鸦 松 橡子 cache.rs deep/cache.rs left-pad 🐦 ??'.match(
        /"[^"]*"|\S+/g,
      ) ?? ['']),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => words.join(' '))
const signed =
  'jay -jay zebra quartz left-pad leftpad leftPad -acorns "winter quarters" -"to be" winterquarters nest'.match(
    /-?"[^"]*"|\S+/g,
  ) ?? []
const scopes = fc.constantFrom({}, { project: 'even' }, { project: 'odd' }, { project: 'none' })

describe('[Q3] existence', () => {
  it('is exact within the scope, and a sure miss hides nothing', async () => {
    const tally = { there: 0, missing: 0 }
    const check = async (text: string, scope: { project?: string }) => {
      const { hits, plan } = await opened.call('recall', { query: { text, scope, collapse: 'none' } }, startOfTime)
      const stems = new Set(tokenise(text).map(({ word }) => stem(word)))
      // The one letter among the texts is found in every pair that has it.
      const holds = (word: string) => stems.has(stem(word)) || (stems.has('松') && word.includes('松'))
      const holding = records.filter(
        ({ body, project }) =>
          (scope.project ?? project) === project &&
          // `NestError` is found by each of its parts.
          tokenise(`${body} ${body.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}`).some(({ word }) => holds(word)),
      )
      expect(plan.existence?.mightExist, text).toBe(holding.length > 0)
      tally[holding.length > 0 ? 'there' : 'missing']++
      if (holding.length > 0) return
      expect(hits).toEqual([])
      for (const channel of ['lexical', 'terms', 'paths'] as const) {
        expect(plan.channels[channel].ran).toBe(false)
        expect(plan.channels[channel].why).not.toBe('')
      }
    }
    await fc.assert(fc.asyncProperty(texts, scopes, check), { seed: 33, numRuns: 800 })
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(100)
  })

  it('[Q3] with signs, fields and synonyms hides nothing: a word in a field that counts exists', async () => {
    const synonyms = { zebra: ['jay'], quartz: ['acorns'] }
    const stored = (await opened.call('get', { ids: records.map(({ id }) => id) })).map((record) => record!)
    const textOf = (record: (typeof stored)[number], field: string) => {
      if (field === 'paths') return record.files.map(({ path }) => path).join('\n')
      return field === 'terms' ? record.terms.map(({ term }) => term).join('\n') : field === 'body' ? record.body! : ''
    }
    const stemsOf = (text: string) => tokenise(text).map(({ word }) => stem(word))
    const queries = fc.record({
      text: fc.array(fc.constantFrom(...signed), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
      in: fc.constantFrom(undefined, ['body'] as const, ['terms', 'paths'] as const, ['title'] as const),
      scope: scopes,
      policy: fc.constantFrom(policies.balanced, { ...policies.balanced, synonyms }),
    })
    const tally = { there: 0, missing: 0 }
    const check = async (query: RecallQuery) => {
      const { hits, plan, ledger } = await opened.call('recall', { query: { ...query, ledger: true } }, startOfTime)
      // A text of nothing but words held back is a listing, which has nothing to look up.
      if (plan.existence === undefined) return
      const { text = '', in: fields = ['body', 'terms', 'paths'], scope = {}, policy } = query
      const asked = new Set(stemsOf(withoutHeldBack(text)))
      if (policy !== policies.balanced)
        for (const [word, [other = '']] of Object.entries(synonyms)) if (asked.has(stem(word))) asked.add(stem(other))
      const isHeld = stored.some(
        (record) =>
          (scope.project ?? record.project) === record.project &&
          fields.some((field) => stemsOf(textOf(record, field)).some((word) => asked.has(word))),
      )
      tally[plan.existence.mightExist ? 'there' : 'missing']++
      if (isHeld) expect(plan.existence.mightExist, JSON.stringify(query)).toBe(true)
      if (!plan.existence.mightExist) expect([hits, ledger]).toEqual([[], []])
    }
    await fc.assert(fc.asyncProperty(queries, check), { seed: 34, numRuns: 600 })
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(60)
  })

  it('is skipped without text, and where parts of words are searched', async () => {
    const planOf = async (query: object) => (await opened.call('recall', { query })).plan
    expect(await planOf({})).not.toHaveProperty('existence')
    expect(await planOf({ text: 'ja', policy: 'ctxsift' })).not.toHaveProperty('existence')
    expect((await opened.call('recall', { query: { text: 'acor', policy: 'ctxsift' } })).hits).toHaveLength(1)
  })

  it('a miss of words does not keep vectors from answering', async () => {
    const { call } = await openEngine({ space: { name: 'two', dimensions: 2 } })
    await call('put', { batch: [{ id: 'a', body: 'jay', vectors: Float32Array.of(1, 0) }] })
    const { hits, plan } = await call('recall', { query: { text: 'zebra', vector: Float32Array.of(1, 0) } })
    expect(hits.map(({ id }) => id)).toEqual(['a'])
    expect(plan).toMatchObject({
      existence: { mightExist: false },
      channels: { lexical: { ran: false }, vector: { ran: true } },
    })
  })
})
