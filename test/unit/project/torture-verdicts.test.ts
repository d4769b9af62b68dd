/** Checks that the last lines of a torture run name the red suites and say why. */
import { expect, it } from 'vitest'
import type { Outcome } from '../../torture/outcome.ts'
import { type Line, verdictsOf } from '../../torture/run-all.ts'

const outcome = (isGreen: boolean): Outcome => ({ isGreen, size: '', seeds: '', result: '', control: '', browsers: '' })

const line = (name: string, ended: Outcome | null, tail: readonly string[] = []): Line => ({
  name,
  title: name,
  outcome: ended,
  seconds: 7,
  tail,
})

it('ends with one line for each suite, after the last output of the red ones', () => {
  const lines = [
    line('t1', outcome(true), ['fine']),
    line('t3', outcome(false), ['lost 1']),
    line('t4', null, ['boom']),
  ]
  expect(verdictsOf(lines)).toEqual([
    '',
    '== T3 is RED; the end of what it printed:',
    'lost 1',
    '',
    '== T4 is RED; the end of what it printed:',
    'boom',
    '',
    'T1 green, 7 s',
    'T3 RED, 7 s',
    'T4 RED (it crashed), 7 s',
  ])
})

it('control: prints no output of suites that are green', () => {
  expect(verdictsOf([line('t1', outcome(true), ['fine'])])).toEqual(['', 'T1 green, 7 s'])
})
