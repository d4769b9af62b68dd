/**
 * [H6] Tests that 160 tokens hold what decides of a life in a chat, among 300 other turns: the later statement first, instructions and
 * constraints where something is to be done, and each turn with its day and speaker.
 */
import { expect, it } from 'vitest'
import { askLives, ownLives } from '../../support/data/lives.ts'

const lives = ownLives()
const share = 0.95

it('twenty lives in three languages', () => expect(lives.length).toBeGreaterThanOrEqual(20))

it('[H6] the words that decide are packed, and not behind those they replaced', async () => {
  const answers = await askLives(lives, { embedder: 'none' })
  const wrong = answers.filter(({ isRight }) => !isRight).map(({ life, ask }) => `${life}: ${ask.question}`)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual((1 - share) * answers.length)
  expect(answers.filter(({ isNamed }) => !isNamed)).toEqual([])
})

it('control: JSON spends the budget on its fields, so fewer are right', async () => {
  const answers = await askLives(lives.slice(0, 6), { embedder: 'none', format: 'json' })
  expect(answers.filter(({ isRight }) => isRight).length).toBeLessThan(0.9 * answers.length)
})
