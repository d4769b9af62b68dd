/** Tests how typing errors are corrected: which words, by which, what the answer says of it, and what it costs in evidence. */
import { describe, expect, test } from 'vitest'
import type { RecallQuery } from '../../../../src/core/model/query.ts'
import type { RecordInput } from '../../../../src/core/model/record.ts'
import { policies } from '../../../../src/core/policies/policies.ts'
import { canonicalJson } from '../../../../src/core/text/hash/canonical.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

const records: readonly RecordInput[] = [
  { id: 'move', body: 'The migration of the database ran on Friday.', project: 'one' },
  { id: 'birds', body: 'Migrating birds rest in the marshes.', project: 'two' },
  { id: 'undo', title: 'Rollback', body: 'How to undo a deployment.', project: 'two' },
  { id: 'house', body: 'A house with seven horses.', project: 'three' },
]

async function opened(more: readonly RecordInput[] = []) {
  const { call } = await openEngine({ policy: policies.balanced })
  await call('put', { batch: [...records, ...more] })
  return async (query: RecallQuery | string) => {
    const result = await call('recall', { query: typeof query === 'string' ? { text: query } : query })
    const typos = result.plan.read.flatMap((reading) => (reading.kind === 'typo' ? [reading] : []))
    return {
      ...result,
      ids: result.hits.map(({ id }) => id),
      as: typos.map(({ text, as, edits }) => [text, as, edits]),
    }
  }
}

describe('a word that no record holds', () => {
  const ask = opened()

  test.each([
    ['one edit in 4 letters', 'undu', ['undu', 'undo', 1], ['undo']],
    ['two letters exchanged', 'Firday', ['Firday', 'friday', 1], ['move']],
    ['a letter left out', 'databse', ['databse', 'database', 1], ['move']],
    ['a letter added', 'marrshes', ['marrshes', 'marshes', 1], ['birds']],
    ['two edits in 8 letters', 'roolbakc', ['roolbakc', 'rollback', 2], ['undo']],
    ['another first letter in 8 letters', 'tollback', ['tollback', 'rollback', 1], ['undo']],
  ])('is corrected: %s', async (_name, text, read, ids) => {
    expect(await (await ask)(text)).toMatchObject({ as: [read], ids })
  })

  test.each([
    ['of 3 letters', 'ron'],
    ['two edits in 7 letters', 'fridxyx'],
    ['another first letter in 7 letters', 'jouses'],
    ['another first letter and an edit in 8 letters', 'tollbakk'],
    ['a word with a number', 'fr1day'],
    ['a word held back', '-databse'],
  ])('is not corrected: %s', async (_name, text) => {
    const { plan } = await (await ask)(text)
    expect(plan.read.filter(({ kind }) => kind === 'typo')).toEqual([])
  })

  test('is listed in plan.read, in order of appearance, and named in the reasons of its hits', async () => {
    const { plan, hits } = await (await ask)('databse of last week "on friday" roolback')
    expect(plan.read.map(({ kind, text }) => [kind, text])).toEqual([
      ['typo', 'databse'],
      ['time', 'last week'],
      ['phrase', 'on friday'],
      ['typo', 'roolback'],
    ])
    expect(hits[0]?.reasons).toContain('databse read as database')
  })

  test('adds less than a seen one, and alone gives weak evidence at most', async () => {
    const [seen, read] = [await (await ask)('rollback'), await (await ask)('roolback')]
    expect(seen.evidence.strength).toBe('strong')
    expect(read.evidence.strength).toBe('weak')
    expect(read.hits[0]!.score).toBeLessThan(seen.hits[0]!.score)
    expect(read.hits[0]!.score).toBeGreaterThan(seen.hits[0]!.score / 2)
    // Control: with a seen word next to it, the evidence is not bounded.
    expect((await (await ask)('roolback deployment')).evidence.strength).toBe('strong')
  })

  test('between quotes is corrected, too: no record could hold the phrase', async () => {
    expect(await (await ask)('"the databse"')).toMatchObject({ as: [['databse', 'database', 1]], ids: ['move'] })
    expect(await (await ask)('"databse"')).toMatchObject({ as: [['databse', 'database', 1]], ids: ['move'] })
    // The words exist, but not in this order: nothing is misspelt.
    expect(await (await ask)('"database the"')).toMatchObject({ as: [], ids: [] })
  })

  test('in a phrase counts as its worst word does', async () => {
    const scoreOf = async (text: string) => (await (await ask)(text)).hits[0]!.score
    const [seen, one, two] = [
      await scoreOf('"a deployment"'),
      await scoreOf('"a deploymet"'),
      await scoreOf('"a deploymnnt"'),
    ]
    expect(two).toBeLessThan(seen)
    expect(one).toBeLessThan(seen)
    expect(await scoreOf('"undo a deplymet"')).toBeLessThan(await scoreOf('"undo a deploymet"'))
    expect(await scoreOf('"undoo a deplymet"')).toBe(await scoreOf('"undo a deplymet"'))
  })

  test('keeps word pairs', async () => {
    const pairOf = async (text: string) =>
      (await (await ask)(text)).hits[0]!.contributions.find(({ signal }) => signal === 'pairs')?.amount
    expect(await pairOf('migratng birds')).toBe(await pairOf('migrating birds'))
    expect(await pairOf('migratng birds')).toBeGreaterThan(0)
  })

  test('is a beginning of words while it is typed', async () => {
    const typed = { text: 'datanas', prefix: 'last' } as const
    expect(await (await ask)({ ...typed, text: 'depolym' })).toMatchObject({
      as: [['depolym', 'deploym', 1]],
      ids: ['undo'],
    })
    expect(await (await ask)(typed)).toMatchObject({ ids: ['move'], evidence: { strength: 'weak' } })
    // Control: complete, the same word has no neighbour.
    expect(await (await ask)('depolym')).toMatchObject({ as: [], ids: [] })
  })

  test('counts in the fields of the query', async () => {
    expect(await (await ask)({ text: 'rolback', in: ['title'] })).toMatchObject({ ids: ['undo'] })
    expect(await (await ask)({ text: 'rolback', in: ['body'] })).toMatchObject({ ids: [] })
    expect(await (await ask)({ text: '"a deploymet"', in: ['body'] })).toMatchObject({ ids: ['undo'] })
    expect(await (await ask)({ text: '"a deploymet"', in: ['title'] })).toMatchObject({ ids: [] })
    // The body holds the word, so nothing is corrected although the title lacks it.
    expect(await (await ask)({ text: 'house', in: ['title'] })).toMatchObject({ as: [], ids: [] })
  })

  test('[Q3] the existence check looks up the corrected word', async () => {
    expect((await (await ask)('roolback')).plan.existence).toMatchObject({ mightExist: true })
    expect((await (await ask)({ text: 'roolback', typos: 'off' })).plan.existence).toMatchObject({ mightExist: false })
    expect((await (await ask)('xyloquark')).plan.existence).toMatchObject({ mightExist: false })
  })
})

describe('of several words', () => {
  test.each([
    ['fewest edits', ['horsed'], 'horsec', 'horsed'],
    [
      'the same first letter, before more records,',
      ['dorkbench', 'dorkbench two', 'zorkbenck'],
      'zorkbench',
      'zorkbenck',
    ],
    ['fewest edits, before the same first letter,', ['dorkbench', 'zorkbenxx'], 'zorkbench', 'dorkbench'],
    ['most records', ['hoarse hoarse', 'horde', 'horde'], 'horsde', 'horde'],
    ['code points', ['horsey', 'horsex'], 'horsez', 'horses'],
  ])('%s decides', async (_name, bodies, typed, as) => {
    const ask = await opened(bodies.map((body, i) => ({ id: `x${i}`, body })))
    expect((await ask(typed)).as.map(([, word]) => word)).toEqual([as])
  })

  test('none with a number is taken: it is a name of something', async () => {
    const ask = await opened(['gard3m', 'gard3m again'].map((body, i) => ({ id: `x${i}`, body })))
    expect(await ask('gardem')).toMatchObject({ as: [], ids: [] })
    // Control: without the number, the word is as near.
    expect((await (await opened([{ id: 'x', body: 'gardam' }]))('gardem')).as).toEqual([['gardem', 'gardam', 1]])
  })
})

describe('in a scope', () => {
  test('only records of the scope count: as holding the typed word, and as having the correction', async () => {
    const ask = await opened([{ id: 'typo', body: 'migratoin', project: 'four' }])
    expect(await ask('migratoin')).toMatchObject({ as: [], ids: ['typo'] })
    expect(await ask({ text: 'migratoin', scope: { project: 'one' } })).toMatchObject({
      as: [['migratoin', 'migration', 1]],
      ids: ['move'],
    })
    expect(await ask({ text: 'migratoin', scope: { project: 'three' } })).toMatchObject({ as: [], ids: [] })
  })

  test('a form that only other scopes hold is never named', async () => {
    const ask = await opened()
    // Both are of one stem, so the text index finds "migrating" by "migration".
    const { as } = await ask({ text: 'migratiom', scope: { project: 'two' } })
    expect(as).toEqual([['migratiom', 'migrating', 2]])
  })

  test('[Q4] answers as a store with these records alone', async () => {
    const others = ['migrations', 'databases', 'rollbacks fridays', 'hoarse house', 'migrator'].map((body, i) => ({
      id: `o${i}`,
      body,
      project: 'others',
    }))
    const whole = await opened(others)
    for (const project of ['one', 'two', 'three']) {
      const { call } = await openEngine({ policy: policies.balanced })
      await call('put', { batch: records.filter((record) => record.project === project) })
      for (const text of ['migratoin', 'migratiom', 'databses', 'rollbackk', 'hourses', 'fridayy', 'deploymet']) {
        const alone = await call('recall', { query: { text } })
        const scoped = await whole({ text, scope: { project } })
        expect(scoped.plan.read, `${text} in ${project}`).toEqual(alone.plan.read)
        expect(scoped.ids).toEqual(alone.hits.map(({ id }) => id))
        expect(scoped.hits.map(({ score }) => score)).toEqual(alone.hits.map(({ score }) => score))
      }
    }
  })
})

describe('nothing is corrected', () => {
  test('with typos off, and under policies that reproduce another library', async () => {
    const ask = await opened()
    expect(await ask({ text: 'roolback', typos: 'off' })).toMatchObject({ as: [], ids: [] })
    for (const policy of ['tokenpak', 'ctxsift', 'popoto', 'secondBrain'])
      expect(await ask({ text: 'roolback', policy }), policy).toMatchObject({ as: [] })
  })

  test('in a clean question: the bytes are those of typos off', async () => {
    const ask = await opened()
    const bytesOf = async (query: RecallQuery) => {
      const { receipt, ...result } = await ask(query)
      return canonicalJson({ ...result, digest: receipt.digest })
    }
    for (const text of [
      'migration',
      'birds rest',
      'undo "a deployment"',
      'seven horses -friday',
      'the',
      'on last week',
    ]) {
      for (const scope of [{}, { project: 'two' }].filter((one) => text === 'birds rest' || !('project' in one)))
        expect(await bytesOf({ text, scope })).toBe(await bytesOf({ text, scope, typos: 'off' }))
    }
    // Control: one that is not clean has other bytes.
    expect(await bytesOf({ text: 'migratoin' })).not.toBe(await bytesOf({ text: 'migratoin', typos: 'off' }))
  })

  test('in the words of a time of which the scope has no record', async () => {
    const ask = await opened([{ id: 'list', body: 'A list of weak mouths.' }])
    expect(await ask('what did I write last month')).toMatchObject({ as: [] })
    // Control: a word as near to it is corrected.
    expect(await ask('what did I write at lsit')).toMatchObject({ as: [['lsit', 'list', 1]] })
  })

  // A store that lacks what is asked for, with words near to it.
  test.each([
    ['bike theft', 'How to bake a sourdough bread in the oven.'],
    ['cat food', 'Fold the coat.'],
    ['cost of the type', 'My coat has a tape in its pocket.'],
    ['where do I live', 'I like the passport photo.'],
    ['the most expensive password', 'The passport must not be moss.'],
    ['runs and jumped', 'The rungs of the ladder were bumped.'],
  ])('in words that exist, whether or not a record holds them: %s', async (text, body) => {
    const { call } = await openEngine({ policy: policies.balanced })
    await call('put', { batch: [{ id: 'other', body }] })
    const { plan } = await call('recall', { query: { text } })
    expect(plan.read).toEqual([])
  })

  test('but the other spelling of a word, or one derived like it, is looked for', async () => {
    const ask = await opened([
      { id: 'car', body: 'Winter tyres in the right colour.' },
      { id: 'pollen', body: 'My allergy to birch.' },
    ])
    expect(await ask('tires')).toMatchObject({ as: [['tires', 'tyres', 1]], ids: ['car'] })
    expect(await ask('color')).toMatchObject({ as: [['color', 'colour', 1]], ids: ['car'] })
    expect(await ask('allergic')).toMatchObject({ as: [['allergic', 'allergy', 2]], ids: ['pollen'] })
  })

  test('a word of English is one only in stores whose languages include English', async () => {
    const { call } = await openEngine({ policy: policies.balanced, languages: ['de'] })
    await call('put', { batch: [{ id: 'wein', body: 'Der Wein liegt im Keller.' }] })
    // A word of English, which the German store reads as misspelt.
    expect((await call('recall', { query: { text: 'killer' } })).plan.read).toMatchObject([{ as: 'keller' }])
  })

  test('an unknown value is refused by name', async () => {
    const ask = await opened()
    await expect(ask({ text: 'x', typos: 'on' as 'auto' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'query.typos',
    })
  })
})
