/** Checks words that are written as one word or as two. */
import { beforeAll, describe, expect, it } from 'vitest'
import { cutsOf } from '../../../../src/core/query/joined-words.ts'
import type { RecallQuery } from '../../../../src/core/model/query.ts'
import { openEngine, type TestEngine } from '../../../support/stores/open-engine.ts'

describe('joined words', () => {
  const bodies = {
    hook: 'Call useEffect after the render.',
    apart: 'The use effect hook of the page.',
    joined: 'We run nodejs on the server.',
    dotted: 'We run node.js on the desktop.',
    mail: 'Send an e-mail to Ada.',
    email: 'Send an email to Tom.',
    other: 'The effect of the sun; a node of a tree.',
  }
  let store: TestEngine
  beforeAll(async () => {
    store = await openEngine()
    await store.call('put', { batch: Object.entries(bodies).map(([id, body]) => ({ id, body })) })
  })
  const found = async (text: string, options: RecallQuery = {}) =>
    (await store.call('recall', { query: { text, ...options } })).hits.map(({ id }) => id)

  it.each([
    ['useEffect', ['apart', 'hook']],
    ['useeffect', ['hook']],
    ['node.js', ['dotted', 'joined', 'other']],
    ['nodejs', ['dotted', 'joined']],
    ['e-mail', ['email', 'mail']],
    ['email', ['email', 'mail']],
    ['E-Mail', ['email', 'mail']],
  ])('%s is found in each form', async (text, ids) => {
    expect((await found(text)).sort()).toEqual(ids)
  })

  it('find a word of two parts where no record has the parts in a row', async () => {
    const { call } = await openEngine()
    await call('put', {
      batch: [
        { id: 'hook', body: bodies.hook },
        { id: 'mail', body: 'a left pad' },
      ],
    })
    const ids = async (text: string) => (await call('recall', { query: { text } })).hits.map(({ id }) => id)
    expect(await ids('use effect')).toEqual(['hook'])
    expect(await ids('leftpad')).toEqual(['mail'])
    expect((await call('recall', { query: { text: 'leftpad' } })).plan.existence?.mightExist).toBe(true)
    expect((await call('recall', { query: { text: 'leftpat' } })).plan.existence?.mightExist).toBe(false)
    // What the record has is named, and marked.
    const [hit] = (await call('recall', { query: { text: 'leftpad' } })).hits
    expect(hit?.matched).toEqual(['body'])
    expect(hit?.snippet.marks).not.toEqual([])
  })

  it('are held back in each form', async () => {
    const ids = async (text: string) =>
      (await store.call('recall', { query: { text } })).hits.map(({ id }) => id).sort()
    expect(await ids('send -email')).toEqual([])
    expect(await ids('send -e-mail')).toEqual([])
    expect(await ids('send -tom')).toEqual(['mail'])
  })

  it('control: words that only resemble them find nothing more', async () => {
    expect(await found('nodejx', { typos: 'off' })).toEqual([])
    expect(await found('fmail')).toEqual([])
    expect(await found('3.5')).toEqual([])
  })

  it('are never cut at a question word, the rest of a contraction or a common word', () => {
    // "who" asks, "isn" is the rest of "isn't", "each" is common; "tea" and "cher" are none of these.
    expect(cutsOf('whotea')).not.toContain('who tea')
    expect(cutsOf('isntea')).not.toContain('isn tea')
    expect(cutsOf('eachtea')).not.toContain('each tea')
    expect(cutsOf('teacher')).toContain('tea cher')
  })
})
