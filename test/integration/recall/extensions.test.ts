/**
 * Tests what an app adds to the engine: functions and modules, their limits, and that redacted text is stored nowhere.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { contentHash, estimateTokens, redactSecrets } from '../../../src/core/index.ts'
import { type Extensions, type OpenOptions, openRecall, type Recall } from '../../../src/index.ts'
import { loadExtensions } from '../../../worker/methods/common/extensions.ts'

const redactModule = new URL('../../support/extensions/redact.mjs', import.meta.url)
const key = ['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdE'].join('_')

let recall: Recall | undefined

afterEach(async () => {
  await recall?.close()
  recall = undefined
})

async function open(options: OpenOptions): Promise<Recall> {
  recall = await openRecall({ name: 'extensions', runtime: 'inline', embedder: null, ...options })
  return recall
}

describe('redact', () => {
  test('is applied before anything is derived or stored, by put and by patch', async () => {
    const store = await open({ extensions: { redact: redactSecrets } })
    await store.put([
      {
        id: 'a',
        title: `use ${key}`,
        body: `token ${key}, file src/a.ts`,
        instruction: key,
        command: `curl -H ${key}`,
      },
      { id: 'b', summary: 'nothing to hide' },
    ])
    await store.patch('b', { summary: `the new one is ${key}` })
    const records = await store.get(['a', 'b'])
    expect(JSON.stringify(records)).not.toContain(key)
    expect(records[0]).toMatchObject({ title: 'use [redacted: GitHub token]', files: [{ path: 'src/a.ts' }] })
    expect(records[0]?.contentHash).toBe(contentHash(records[0] as never))
    const { plan } = await store.recall(key)
    expect(plan.channels.lexical.matched).toBe(0)
    // Control: the replacement text is found.
    expect((await store.recall('redacted GitHub token')).hits.map(({ id }) => id).toSorted()).toEqual(['a', 'b'])
  })

  test('[W1] leaves the same record unchanged when it is put again', async () => {
    const store = await open({ extensions: { redact: redactSecrets }, now: () => 5 })
    const record = { body: `token ${key}` }
    const [first, second] = [await store.put(record), await store.put(record)]
    expect(first.records[0]?.outcome).toBe('inserted')
    expect(second.records[0]).toMatchObject({ id: first.records[0]?.id, outcome: 'unchanged' })
  })

  test('is applied before the authority block', async () => {
    const store = await open({
      extensions: { redact: redactSecrets },
      authority: { rules: 'R', tiers: [{ id: 'canonical', priority: 1 }] },
    })
    await store.put({ body: `deploy with ${key}`, authorityTier: 'canonical' })
    const { authorityContext } = await store.recall('deploy')
    expect(authorityContext).toContain('deploy with')
    expect(authorityContext).not.toContain(key)
  })

  test('[W2] a record whose text cannot be redacted is refused, the others are stored', async () => {
    const redact = (text: string) => {
      if (text.includes('boom')) throw new Error(`cannot read ${text}`)
      return text.includes('promise') ? (Promise.resolve(text) as unknown as string) : text
    }
    const store = await open({ extensions: { redact } })
    const { records } = await store.put([{ body: `boom ${key}` }, { body: 'promise' }, { id: 'good', body: 'good' }])
    expect(records.map(({ outcome, code, field }) => [outcome, code, field])).toEqual([
      ['rejected', 'INVALID_CONFIG', 'extensions.redact'],
      ['rejected', 'INVALID_CONFIG', 'extensions.redact'],
      ['inserted', undefined, undefined],
    ])
    expect(JSON.stringify(records)).not.toContain(key)
    expect(await store.count()).toBe(1)
  })

  test('can come from a module, too', async () => {
    for (const extensions of [redactModule, redactModule.href]) {
      const store = await open({ extensions })
      await store.put({ id: 'a', body: 'hides ACORN-17 here' })
      expect((await store.get('a'))?.body).toBe('hides [hidden] here')
      await store.close()
    }
  })
})

describe('countTokens', () => {
  test('is an estimate unless the app has its own counter', async () => {
    const text = 'How many tokens are these words?'
    expect((await loadExtensions(undefined)).countTokens(text)).toBe(estimateTokens(text))
    expect((await loadExtensions({ redact: (given) => given })).countTokens(text)).toBe(estimateTokens(text))
    expect((await loadExtensions({ countTokens: (given) => given.length })).countTokens(text)).toBe(text.length)
    const url = new URL('../../support/extensions/cl100k.mjs', import.meta.url).href
    expect((await loadExtensions(url)).countTokens(text)).toBe(7)
  })

  test.each([1.5, -1, Number.NaN, '7', Promise.resolve(7)])('is refused when it returns %s', async (count) => {
    const { countTokens } = await loadExtensions({
      countTokens: (text) => (text === 'word' ? 1 : (count as number)),
    })
    expect(() => countTokens('text')).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field: 'extensions.countTokens' }),
    )
  })
})

describe('malformed extensions', () => {
  test.each<[string, unknown, string]>([
    ['a number', 5, 'extensions'],
    ['null', null, 'extensions'],
    ['no URL', 'not a url', 'extensions'],
    ['nothing of use', {}, 'extensions'],
    ['no function', { countTokens: 5, redact: (text: string) => text }, 'extensions.countTokens'],
    ['a promise', { redact: async (text: string) => text }, 'extensions.redact'],
    ['a module that is not there', new URL('../../support/extensions/none.mjs', import.meta.url), 'extensions'],
    ['a module of other things', new URL('../../support/data/random.ts', import.meta.url), 'extensions'],
  ])('are refused when the store is opened: %s', async (_name, extensions, field) => {
    await expect(open({ extensions: extensions as Extensions })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field,
    })
  })

  test('are refused when a second opener names others', async () => {
    await open({ extensions: redactModule })
    const other = { name: 'extensions', runtime: 'inline', embedder: null } as const
    await expect(
      openRecall({ ...other, extensions: new URL('../../support/extensions/cl100k.mjs', import.meta.url) }),
    ).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'extensions' })
    const joined = await openRecall(other)
    await joined.close()
  })
})
