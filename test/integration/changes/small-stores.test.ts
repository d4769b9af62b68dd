/**
 * [H6] Tests what the middleware's defaults put in front of everyday questions to small stores of one person's facts: what answers, and nothing
 * for small talk and questions about the world.
 */
import { expect, test } from 'vitest'
import { openSmallStore, smallStores, strangeMessages } from '../../support/data/small-stores.ts'

test.each(smallStores)(
  '[H6] $name: the fact that answers is packed, and strange messages get nothing',
  async (store) => {
    const { ask, close } = await openSmallStore(store)
    const missed: string[] = []
    for (const { text, needs } of store.questions) {
      const { formatted, metadata } = await ask(text)
      if (!formatted.includes(needs)) missed.push(text)
      expect(metadata.tokenCount).toBeLessThanOrEqual(1000)
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.15 * store.questions.length)
    const strange: string[] = []
    for (const text of strangeMessages) if ((await ask(text)).records.length > 0) strange.push(text)
    expect(strange).toEqual([])
    const { ledger } = await ask('Good morning')
    expect(new Set(ledger.map(({ id }) => id)).size).toBe(store.facts.length)
    await close()
  },
)

test('control: the gate withholds where the store does not fit the budget', async () => {
  const [mira] = smallStores
  const { ask, close } = await openSmallStore(mira!)
  expect((await ask('When is the wedding?')).formatted).toContain('September')
  expect((await ask('When is the wedding?', { maxTokens: 60 })).formatted).toBe('')
  await close()
})
