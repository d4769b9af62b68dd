/** [H1] Tests which of two short statements replaces the other, on pairs and controls that were written before the rules. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { changeOf } from '../../../src/core/changes/change-of.ts'
import { clausesOf } from '../../../src/core/changes/clauses.ts'
import { isLater } from '../../../src/core/changes/is-later.ts'

const rowsOf = (name: string) =>
  readFileSync(new URL(`../../fixtures/changes/${name}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as string[])
const change = (earlier: string, later: string) => changeOf(clausesOf(earlier), clausesOf(later))

test('[H1] nine of ten changes are noticed', () => {
  const found = rowsOf('pairs').filter(([, , earlier, later]) => change(earlier!, later!) !== null)
  expect(found.length).toBeGreaterThanOrEqual(90)
})

test('[H1] control: of two statements that do not change each other, at most one pair in twenty is taken for a change', () => {
  const found = rowsOf('controls').filter(([, one, other]) => change(one!, other!) ?? change(other!, one!))
  expect(found.length).toBeLessThanOrEqual(5)
})

test('[H1] nine of ten of other subjects, actions and languages are noticed, and one in twenty of other pairs', () => {
  const pairs = rowsOf('siblings')
  const found = pairs.filter(([, earlier, later]) => change(earlier!, later!) !== null)
  expect(found.length).toBeGreaterThanOrEqual(0.9 * pairs.length)
  const controls = rowsOf('sibling-controls')
  const alarms = controls.filter(([, one, other]) => change(one!, other!) ?? change(other!, one!))
  expect(alarms.length).toBeLessThanOrEqual(0.05 * controls.length)
})

test('[H1] three of four pairs that were written after the rules, and then read for new ones, are noticed', () => {
  const pairs = rowsOf('fresh')
  const found = pairs.filter(([, earlier, later]) => change(earlier!, later!) !== null)
  expect(found.length).toBeGreaterThanOrEqual(0.75 * pairs.length)
  const controls = rowsOf('fresh-controls')
  const alarms = controls.filter(([, one, other]) => change(one!, other!) ?? change(other!, one!))
  expect(alarms.length).toBeLessThanOrEqual(0.05 * controls.length)
})

describe('[H1] a change says how, and what both are about', () => {
  it.each([
    ['The plumber comes on Monday.', 'The plumber comes on Thursday.', 'time'],
    ['The deposit is 900 euros.', 'The deposit is 1,100 euros.', 'number'],
    ['Nadia lives in Turin.', 'Nadia moved to Basel.', 'move'],
    ['I play chess.', 'I no longer play chess.', 'end'],
    ['I like olives.', 'I do not like olives.', 'denial'],
    ['My dentist is Dr. Roth.', 'My dentist is Dr. Blum.', 'value'],
    ['Oscar moved to Hamburg.', 'Oscar lives in Bremen.', 'move'],
    ['My aunt lives in Ghent.', 'My aunt passed away.', 'end'],
    ['My phone number is 1234.', 'My phone number has changed, it is 4321 now.', 'number'],
    ['We are looking for a nanny.', 'We hired a nanny.', 'end'],
    ['Kurt coaches the juniors.', 'Kurt retired.', 'end'],
    ['The parcel is at the post office.', 'I picked up the parcel from the post office.', 'end'],
    ['My cello teacher is Mr. Ito.', 'I have a new cello teacher, Ms. Lang.', 'value'],
    ['Sam is our contact at Acme.', 'Our contact at Acme is Joan now.', 'value'],
    ['Our mascot is a fox.', 'Our mascot is an owl.', 'value'],
    ['Call me Liz.', 'Please call me Elizabeth.', 'value'],
    ['Use tabs for indentation.', 'Use spaces for indentation.', 'value'],
    ['I keep my passport in the desk drawer.', 'My passport is in the safe now.', 'value'],
    ['My grandmother is 89.', 'My grandmother turned 90 on Sunday.', 'number'],
    ['Deliver parcels to the neighbour.', 'From now on deliver parcels to the shop.', 'value'],
  ])('%s → %s', (earlier, later, how) => {
    expect(change(earlier, later)?.how).toBe(how)
  })
})

test.each(['Nadia works at Bosch.', 'Nadia plays the violin.', 'Nadia works as a teacher.', 'Nadia likes tea.'])(
  '[H1] who moves changes where they live, not that %s',
  (earlier) => {
    expect(change(earlier, 'Nadia moved to Basel.')).toBeNull()
    // Control: of a thing that moved, what was said of it changes.
    expect(change('My car insurance is with Allianz.', 'I moved my car insurance to HUK.')?.how).toBe('value')
  },
)

test.each([
  ['Marta lives in Lisbon.', 'Marta moved the sofa to the hall.'],
  ['Marta lives in Lisbon.', 'Marta’s brother moved to Porto.'],
  ['My birthday is on 3 March.', 'Anna’s birthday is on 4 March.'],
  ['I smoke.', 'My brother no longer smokes.'],
  ['My mother lives in Kent.', 'My mother’s dog died.'],
  ['My landlord is Mr. Cole.', 'My landlord is friendly.'],
  ['We are looking for a nanny.', 'We hired a plumber.'],
  ['I am looking for a flat.', 'I am looking for a flat that I bought into.'],
  ['Kurt coaches the juniors.', 'Kurt left early.'],
  ['I keep my passport in the drawer.', 'My passport is in German.'],
  ['Use salt in the soup.', 'Use salt in the bread.'],
  ['I need new brakes.', 'I need new shoes.'],
  ['call my mother', 'call my doctor'],
  ['My sister is a teacher.', 'My sister is a mother of two.'],
  ['I have a new dentist appointment.', 'My dentist is Dr. Weiss.'],
])('[H1] %s says nothing of: %s', (earlier, later) => {
  expect(change(earlier, later)).toBeNull()
})

it.each([
  ['a question', 'Where does Nadia live?'],
  ['code', 'const city = { name: "Turin" }'],
  ['a long text', 'Nadia lives in Turin. '.repeat(20)],
])('%s is no statement', (_, text) => {
  expect(clausesOf(text)).toEqual([])
})

it('of two records of one time, neither is later', () => {
  const record = { occurredAt: null, createdAt: 5, updatedAt: 5, session: null, position: null }
  expect(isLater(record, { ...record })).toBe(false)
  expect(isLater({ ...record, createdAt: 6 }, record)).toBe(true)
  expect(isLater({ ...record, occurredAt: 1, createdAt: 9 }, record)).toBe(false)
})
