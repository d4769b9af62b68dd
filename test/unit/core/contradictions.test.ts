/** Checks what counts as a statement, and which pairs of texts contradict each other. */
import { describe, expect, it } from 'vitest'
import { contradictionOf, subjectWeight } from '../../../src/core/similarity/contradicts.ts'
import { valuesIn } from '../../../src/core/similarity/statement-values.ts'
import { statementsOf } from '../../../src/core/similarity/statements.ts'

const between = (some: string, other: string) => contradictionOf(statementsOf(some), statementsOf(other), () => 1)

describe('another value of the same subject', () => {
  it.each([
    ['amount', 'My snack budget for the cinema is $65.', 'I raised the snack budget to $75 now.'],
    ['amount', 'I spent $8 of my $35 book budget.', 'I raised my book budget from $8 to $50 now.'],
    ['share', 'My quiz accuracy on triangles is 80%.', 'My quiz accuracy on triangles is 95 % now.'],
    ['time', 'My call with the dentist Miller is at 3 PM.', 'The call with my dentist Miller was moved to 4:30 pm.'],
    ['day', 'The sprint deadline of our portfolio is April 1.', 'Our new sprint deadline of the portfolio is April 5.'],
    ['day', 'Unsere Abgabe der Steuer ist am 3. März.', 'Unsere Abgabe der Steuer wurde auf den 5. März verschoben.'],
    ['day', 'Ma visite chez le notaire est le 12 avril.', 'Ma visite chez le notaire est reportée au 15 avril.'],
    ['count', 'My Zotero library has 45 sources.', 'I have 52 sources in my Zotero library now.'],
    ['count', 'My Zotero library has twelve sources.', 'I have nine sources in my Zotero library now.'],
    ['count', 'Our dashboard answers in 300ms.', 'Our dashboard answers in 250ms.'],
  ])('%s: %s / %s', (kind, some, other) => {
    expect(between(some, other)?.kind).toBe(kind)
    expect(between(other, some)?.strength).toBe(between(some, other)?.strength)
  })

  it('is read in the first 4,096 characters', () => {
    const sentence = 'My quiz accuracy is 80%'
    const kindsAfter = (length: number) =>
      statementsOf(`${'Hm. '.repeat(2_000).slice(0, length - 1)} ${sentence} now.`).map(({ kind }) => kind)
    expect(kindsAfter(4_096 - sentence.length)).toContain('share')
    expect(kindsAfter(4_097 - sentence.length)).not.toContain('share')
  })

  it('names what each text says', () => {
    expect(between('My Zotero library has 52 sources.', 'My Zotero library has 45 sources.')?.reason).toBe(
      'says "52 sources", where the other says "45 sources"',
    )
  })

  it('control: equal values, other subjects, other kinds of values and other units do not contradict each other', () => {
    expect(between('My Zotero library has 1,200 sources.', 'I have 1200 sources in my Zotero library.')).toBeNull()
    expect(between('My snack budget for the cinema is $65.', 'My sneaker allowance at Foot Locker is $600.')).toBeNull()
    expect(between('My Zotero library has 45 sources.', 'My Zotero library has 52 folders.')).toBeNull()
    expect(between('My call with the dentist is on May 3.', 'My call with the dentist is at 3 PM.')).toBeNull()
  })
})

describe('a denial of what another text asserts', () => {
  it.each([
    ['I have never met Bryan at a film festival.', 'I met Bryan at the Montserrat film festival.'],
    ['I never used Excel for tracking expenses.', 'I track my expenses with Excel since March.'],
    ['Ich war nie in der Kletterhalle Nordwand.', 'Ich war in der Kletterhalle Nordwand klettern.'],
  ])('%s / %s', (denial, assertion) => {
    expect(between(denial, assertion)?.kind).toBe('denial')
    expect(between(assertion, denial)?.kind).toBe('denial')
  })

  it('control: two denials, and a denial of something else, do not contradict each other', () => {
    expect(between('I have never met Bryan at a festival.', 'I never met Bryan at any festival.')).toBeNull()
    expect(between('I have never met Bryan at a festival.', 'I planted garlic beside the tomatoes.')).toBeNull()
  })
})

describe('statements', () => {
  it('leave out code, commands and the values of lists', () => {
    expect(statementsOf('```\nconst budget = 65 euros per month\n```')).toEqual([])
    expect(statementsOf('awk {print 3 columns of my budget}')).toEqual([])
    const list =
      'My budget: 3 apples. My budget: 4 pears. My budget: 5 plums. My budget: 6 figs. My budget: 7 kiwis. My budget: 8 limes.'
    expect(statementsOf(list).filter(({ value }) => value !== '')).toEqual([])
    expect(statementsOf(list.slice(0, -20)).filter(({ value }) => value !== '')).not.toEqual([])
  })

  it('give a value one spelling', () => {
    const values = (text: string) => valuesIn(text).map(({ kind, value }) => `${kind} ${value}`)
    expect(values('$1,350.00 or € 1350, 7.0 % or 7 percent')).toEqual([
      'amount 1350',
      'amount 1350',
      'share 7',
      'share 7',
    ])
    expect(values('15 March, March 15th, 2026-03-15, 15. März, 15 de marzo')).toEqual(Array(5).fill('day 3-15'))
    expect(values('3 PM, 3:00 pm, 15:00')).toEqual(['time 15:00', 'time 15:00', 'time 15:00'])
    expect(values('the 5th of 7 kiwis')).toEqual(['count 5', 'count 7'])
    expect(values('v1.2.3 10/12 2024 a-7 https://a.b/7')).toEqual([])
  })
})

describe('the weight of a stem', () => {
  it('falls with the records that have it, and is 1 for rare ones', () => {
    expect(subjectWeight(0, 0)).toBe(1)
    expect(subjectWeight(1000, 0)).toBe(1)
    expect(subjectWeight(1000, 10)).toBeGreaterThan(subjectWeight(1000, 100))
    expect(subjectWeight(1000, 1000)).toBeGreaterThan(0)
    expect(subjectWeight(1000, 1000)).toBeLessThan(0.1)
  })
})
