/** Checks the lengths by which records of a session receive from their neighbours, against figures worked out by hand. */
import { describe, expect, test } from 'vitest'
import { receivedLengths, receivedShare } from '../../../src/core/fusion/received-lengths.ts'

describe('received lengths', () => {
  test.each<[string, readonly number[], readonly number[]]>([
    ['one record: its own length', [40], [40]],
    ['equal lengths', [7, 7, 7, 7], [7, 7, 7, 7]],
    ['lengths that hardly differ', [1e6, 1e6 + 1, 1e6, 1e6 + 1], [1e6 + 0.5, 1e6 + 0.5, 1e6 + 0.5, 1e6 + 0.5]],
    ['no words at all', [0, 0], [0, 0]],
    ['a question and its answer alternate', [10, 300], [10, 300]],
    ['a chat of questions and answers alternates', [10, 300, 20, 200, 10, 400], [10, 300, 20, 200, 10, 400]],
    ['lengths that grow do not alternate: their mean', [10, 20, 30, 40, 50], [30, 30, 30, 30, 30]],
  ])('%s', (_name, lengths, expected) => {
    const received = receivedLengths(lengths)
    expect(received).toHaveLength(expected.length)
    for (const [i, length] of received.entries()) expect(length).toBeCloseTo(expected[i]!, 9)
  })

  test('in between, a record counts partly with its own length', () => {
    // Mean 5, deviations −4, 4, 1, −1, 0: variance 34, products −16 + 4 − 1 + 0 = −13.
    const part = (13 / 34 - 0.2) / 0.2
    expect(receivedLengths([1, 9, 6, 4, 5])[0]).toBeCloseTo(part * 1 + (1 - part) * 5, 12)
  })

  test('the share is whole without length, a half at the half length, and falls with the length', () => {
    expect([0, 75, 150, 300].map((length) => receivedShare(length, 150))).toEqual([1, 0.8, 0.5, 0.2])
  })
})
