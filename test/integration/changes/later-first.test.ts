/** [H1] Tests that answers put the later of two statements first, with its reason, on every page, and leave other records as they rank. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

const day = 86_400_000
const at = (days: number) => startOfTime + days * day
const told = (id: string, body: string, days: number, more: Partial<RecordInput> = {}): RecordInput => ({
  id,
  body,
  createdAt: at(days),
  updatedAt: at(days),
  ...more,
})
const berlin = told('berlin', 'Anna lives in Berlin.', 0)
const hamburg = told('hamburg', 'Anna moved to Hamburg.', 9)
const others = Array.from({ length: 12 }, (_, i) => told(`other-${i}`, `Where people live matters to town ${i}.`, 1))

let opened: OpenedOver
beforeEach(async () => {
  opened = await openOver()
})
const put = (batch: readonly RecordInput[], findContradictions = false) =>
  opened.call('put', { batch, findContradictions }, at(10))
const hits = async (query: RecallQuery) => (await opened.call('recall', { query }, at(20))).hits
const ids = async (query: RecallQuery) => (await hits(query)).map(({ id }) => id)
const question = { text: 'where does Anna live?' }

describe('a pair that was settled', () => {
  const settle = async (outcome: 'dismissed' | 'acted' | 'deferred') => {
    await put([berlin, ...others])
    await put([hamburg], true)
    const before = await ids(question)
    await opened.call('acknowledge', { of: ['hamburg'], outcomes: { hamburg: outcome } }, at(11))
    const plain = await ids({ ...question, changes: 'off' })
    return { before, plain, after: await ids(question) }
  }

  it('[H1] because both are right stays in its order, and states no change', async () => {
    const { before, plain, after } = await settle('dismissed')
    expect(after).toEqual(plain)
    // Control: before, the later one was first.
    expect([before[0], plain[0]]).toEqual(['hamburg', 'berlin'])
    expect((await hits(question)).filter(({ changes = [] }) => changes.length > 0)).toEqual([])
  })

  it.each(['acted', 'deferred'] as const)('control: %s does not say that both are right', async (outcome) => {
    expect((await settle(outcome)).after[0]).toBe('hamburg')
  })
})

describe('[H1] the later statement comes first', () => {
  it('and both hits say which one it replaced, in words', async () => {
    await put([berlin, hamburg, ...others])
    expect(await ids({ ...question, changes: 'off', limit: 1 })).toEqual(['berlin'])
    const [first, second] = await hits(question)
    expect([first?.id, second?.id]).toEqual(['hamburg', 'berlin'])
    expect(first?.changes).toEqual([{ earlier: 'berlin', later: 'hamburg', about: 'anna', how: 'move' }])
    expect(second?.changes).toEqual(first?.changes)
    expect(first?.reasons.at(-1)).toMatch(/^replaces “Anna lives in Berlin.”, \d+ \w+ \d{4}$/)
    expect(second?.reasons.at(-1)).toMatch(/^replaced by “Anna moved to Hamburg.”, /)
  })

  it('[G3] the score is still the sum of its contributions, and no later hit has a higher one', async () => {
    await put([berlin, hamburg, ...others])
    const found = await hits(question)
    for (const { score, contributions } of found)
      expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBe(score)
    for (const [i, { score }] of found.slice(1).entries()) expect(score).toBeLessThanOrEqual(found[i]!.score)
  })

  it('[S4] on every page', async () => {
    const homes = ['Bonn', 'Kiel', 'Ulm', 'Trier', 'Jena'].map((town, i) => told(town, `Anna lives in ${town}.`, i))
    await put([...homes, berlin, hamburg, ...others])
    const all = await ids({ ...question, limit: 18 })
    for (const limit of [1, 2, 3, 5, 8]) expect(await ids({ ...question, limit })).toEqual(all.slice(0, limit))
    for (const offset of [0, 1, 2, 4, 7])
      expect(await ids({ ...question, limit: 3, offset })).toEqual(all.slice(offset, offset + 3))
    expect(all[0]).toBe('hamburg')
  })

  it('by when it happened, not by when it was stored', async () => {
    await put([{ ...berlin, occurredAt: at(12) }, told('jena', 'Anna lives in Jena.', 5)])
    expect((await ids({ text: 'does Anna live in Jena?' }))[0]).toBe('berlin')
  })

  it('from any rank, if a put noticed it', async () => {
    const volvo = told('volvo', 'I drive a red Volvo.', 0)
    const sold = told('sold', 'We finally sold the Volvo.', 9)
    const cars = Array.from({ length: 30 }, (_, i) =>
      told(`car-${i}`, `A car that people drive, number ${i} of the car list.`, 1),
    )
    await put([volvo, ...cars])
    await put([sold], true)
    const asked = { text: 'which car do I drive, a red one?' }
    expect((await ids({ ...asked, changes: 'off' })).indexOf('sold')).toBe(-1)
    const found = await ids(asked)
    expect(found.indexOf('sold')).toBe(found.indexOf('volvo') - 1)
  })

  it('and a record that is named in supersededBy, at once', async () => {
    const guide = told('old', 'How to rotate the signing key: ask the platform team.', 9)
    await put([guide, told('new', 'Signing keys rotate by themselves since spring.', 0), ...others])
    await opened.call('patch', { id: 'old', fields: { supersededBy: 'new' } }, at(11))
    expect((await ids({ text: 'how to rotate the signing key, ask the platform team' })).slice(0, 2)).toEqual([
      'new',
      'old',
    ])
  })

  it.each([
    ['of one time', { createdAt: at(0), updatedAt: at(0) }],
    ['of another project', { project: 'another' }],
  ])('control: not %s', async (_, more) => {
    await put([berlin, { ...hamburg, ...more }, ...others])
    expect(await hits(question)).toEqual(await hits({ ...question, changes: 'off' }))
  })

  it('control: other statements keep their order, byte for byte', async () => {
    await put([berlin, told('ben', 'Ben lives in Hamburg.', 9), told('job', 'Anna works in a bakery.', 9), ...others])
    expect(await hits(question)).toEqual(await hits({ ...question, changes: 'off' }))
  })
})

it('a wrong value of `changes` is refused by name', async () => {
  await expect(hits({ ...question, changes: 'yes' as 'off' })).rejects.toThrow(/query\.changes/)
})
