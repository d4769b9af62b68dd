/** Tests that a misspelt option or a missing listener is refused, by every method that takes one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'

let recall: Recall

beforeAll(async () => {
  recall = await openRecall({ name: 'options', storage: 'memory', embedder: null })
  await recall.put({ id: 'a', body: 'deploy on friday' })
})
afterAll(() => recall.close())

/** As JavaScript calls it, without types. */
const untyped = () => recall as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>
const call = (method: string, ...given: readonly unknown[]) => untyped()[method]?.(...given) as Promise<unknown>

describe('[E1] an option that no method has', () => {
  it.each<[string, readonly unknown[], string]>([
    ['recall', ['deploy', { limit: 5 }], 'options.limit'],
    ['assemble', [{ text: 'deploy' }, { maxTokens: 5 }], 'options.maxTokens'],
    ['put', [{ body: 'x' }, { atomicly: true }], 'options.atomicly'],
    ['list', [{}, { order: 'asc' }], 'options.order'],
    ['retain', [{ days: 30 }], 'options.days'],
    ['integrityCheck', [{ fix: true }], 'options.fix'],
    ['facets', [{ keys: ['kind'] }, { limit: 5 }], 'options.limit'],
    ['importFrom', [new Uint8Array(0), { mode: 'merge', authorityTeir: null }], 'options.authorityTeir'],
  ])('%s%j names it: %s', async (method, given, field) => {
    const before = await recall.count()
    await expect(call(method, ...given)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field,
      message: expect.stringContaining('must be a known option'),
    })
    expect(await recall.count()).toBe(before)
  })

  it('refuses options that must be an object', async () => {
    await expect(call('recall', 'deploy', 5)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'options' })
  })

  it('control: every documented option passes, and null is none', async () => {
    const { signal } = new AbortController()
    await call('put', { id: 'b', body: 'noodles' }, { signal, atomic: true, findContradictions: false })
    await call('retain', { dryRun: true, signal })
    await call('integrityCheck', { repair: false, signal })
    const parts: Uint8Array[] = []
    for await (const part of recall.exportTo()) parts.push(part)
    const rules = { mode: 'merge', authorityTier: null, redact: false, learned: 'keep', signal }
    await call('importFrom', parts, rules)
    await call('remember', [{ role: 'user', content: 'hi', createdAt: 5 }], { session: 's', maxWords: 50, signal })
    expect(await call('recall', 'noodles', null)).toMatchObject({ hits: [{ id: 'b' }] })
  })
})

describe('[E1] subscribe', () => {
  it('refuses a query without a listener, which nothing could hear', () => {
    for (const given of [['deploy'], [{ query: 'deploy' }], [{ query: 'deploy' }, 'listener'], []])
      expect(() => call('subscribe', ...given)).toThrow(/`listener` must be a function/)
  })

  it('control: with one, the answer arrives', async () => {
    const ids = await new Promise((resolve) => {
      const stop = recall.subscribe({ query: 'deploy' }, ({ hits }) => {
        stop()
        resolve(hits.map(({ id }) => id))
      })
    })
    expect(ids).toEqual(['a'])
  })
})
