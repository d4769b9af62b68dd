/** Tests which memory the built-in agent quotes first. */
import { expect, test } from 'vitest'
import { inOrder } from '../../../demo/agent/order-records.ts'

const lyon = { text: 'I live in Lyon', rank: 0, createdAt: '2026-11-01T08:00:00Z' }
const paris = { text: 'I moved to Paris last week', rank: 0, createdAt: '2026-11-02T08:00:00Z' }
const seven = { text: 'the gym opens at 7', rank: 0, createdAt: '2026-11-01T08:00:00Z' }
const eight = { text: 'the gym now opens at 8', rank: 0, createdAt: '2026-11-02T08:00:00Z' }

test('of one tier, the newer of two records on the subject comes first', () => {
  expect(inOrder('where do I live?', [lyon, paris])).toEqual([paris, lyon])
  expect(inOrder('when does the gym open?', [seven, eight])).toEqual([eight, seven])
  expect(inOrder('when does the gym open?', [eight, seven])).toEqual([eight, seven])
  // A newer record that says less of the question replaces nothing.
  const sauna = { ...eight, text: 'I like the sauna of the gym' }
  expect(inOrder('when does the gym open?', [seven, sauna])).toEqual([seven, sauna])
})

test('a more trusted record comes before a newer one', () => {
  const page = { ...eight, rank: 2 }
  expect(inOrder('when does the gym open?', [page, seven])).toEqual([seven, page])
  expect(inOrder('when does the gym open?', [seven, page])).toEqual([seven, page])
})
