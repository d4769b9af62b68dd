/** Compares answers in words: a failure names the question, the records that moved, and their places before and after. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { policies } from '../../src/core/policies/policies.ts'
import { answersOfBalanced, movesBetween, readableAnswers } from '../support/stores/readable-answers.ts'

const golden = readFileSync(new URL('answers.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

test('[D1] answers are those of answers.txt; a difference names the records that moved', async () => {
  expect(movesBetween(golden, await readableAnswers())).toEqual([])
})

test('[D1] control: a weight ten times as large moves records, and each difference names them', async () => {
  const { fusion } = policies.balanced
  if (fusion.kind !== 'convex') throw new Error('balanced must fuse by a convex sum')
  const heavier = { ...policies.balanced, fusion: { ...fusion, terms: 10 * fusion.terms } }
  const ofBalanced = golden.filter((line) => line.startsWith('balanced | '))
  const moves = movesBetween(ofBalanced, await answersOfBalanced(heavier))
  expect(moves.length).toBeGreaterThan(3)
  expect(moves.filter((move) => / \d → \d/.test(move)).length).toBeGreaterThan(0)
  expect(moves.filter((move) => !move.startsWith('balanced | '))).toEqual([])
})
