/**
 * Tests evidence while a word is still being typed, over the sample store of the demo: completions of the word find
 * records, but do not turn an unanswerable question into an answered one.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { sampleRecords } from '../../../../demo/sample/sample.mjs'
import type { Evidence } from '../../../../src/core/model/result.ts'
import { openRecall, type Recall } from '../../../../src/index.ts'

const order = ['none', 'weak', 'strong']

describe.each(['words alone', 'the built-in embedder'])('with %s', (mode) => {
  let store: Recall
  beforeAll(async () => {
    const embedder = mode === 'words alone' ? { embedder: null } : {}
    store = await openRecall({ name: `typed ${mode}`, runtime: 'inline', storage: 'memory', ...embedder })
    const records = sampleRecords()
    for (let at = 0; at < records.length; at += 500) await store.put(records.slice(at, at + 500))
    // What the last word of the unanswerable question may become, whatever the sample says.
    await store.put({ id: 'completion', body: 'Yachtsmen polish the brass before the race.' })
  }, 300_000)

  const evidenceOf = async (text: string, prefix: 'last' | 'none'): Promise<Evidence> =>
    (await store.recall({ text, prefix })).evidence

  it('a question that nothing answers gets no evidence, with and without punctuation after its last word', async () => {
    const text = 'cheapest mooring for a yacht'
    for (const end of ['', ' ', '?']) expect((await evidenceOf(text + end, 'last')).strength, end).toBe('none')
  })

  it('control: the beginning of its last word is found, and the complete word gets evidence', async () => {
    const found = async (prefix: 'last' | 'none') => {
      const { hits } = await store.recall({ text: 'mooring yacht', prefix, limit: 50 })
      const hit = hits.find(({ id }) => id === 'completion')
      return hit?.contributions.some(({ signal, value }) => signal === 'lexical' && value > 0) ?? false
    }
    expect([await found('last'), await found('none')]).toEqual([true, false])
    expect((await evidenceOf('yachtsmen', 'last')).strength).not.toBe('none')
  })

  it('a complete word has the same evidence as without a prefix', async () => {
    for (const text of ['hazelnut cake', 'boiler pressure', 'cello', 'who repairs the tap']) {
      const [typed, complete] = [await evidenceOf(text, 'last'), await evidenceOf(text, 'none')]
      expect(typed.strength, text).toBe(complete.strength)
    }
  })

  it('a half-typed word finds records, and is weak at most', async () => {
    for (const text of ['cell', 'pla', 'passpor', 'hazeln']) {
      const { hits, evidence } = await store.recall({ text, prefix: 'last' })
      expect(hits.length, text).toBeGreaterThan(0)
      expect(order.indexOf(evidence.strength), text).toBeGreaterThan(0)
      // The first one is a stem, which the index holds as a word: it looks complete.
      if (text !== 'cell') expect(evidence.strength, text).toBe('weak')
    }
  })

  it('a single letter is never strong', async () => {
    for (const text of 'abcdefghijklmnopqrstuvwxyz')
      expect((await evidenceOf(text, 'last')).strength, text).not.toBe('strong')
  })
})
