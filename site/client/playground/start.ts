/** What the playground shows at first: a question, records of which some disagree, and policies as text. */
import { policies } from 'scrubjay'
import type { Shared } from './share.ts'

const records = [
  {
    id: 'dinner-letter',
    title: 'Dinner moved',
    body: "Grandma's birthday dinner is on Sunday at 19:00, in the harbour hall.",
    tags: ['family'],
    relations: [{ kind: 'supersedes', target: 'dinner-note' }],
  },
  {
    id: 'dinner-note',
    body: "Grandma's birthday dinner: Saturday, 18:00, at her place.",
    tags: ['family'],
    status: 'superseded',
    supersededBy: 'dinner-letter',
  },
  { id: 'gift', title: 'Gift for Grandma', body: 'She would like a bird feeder for the balcony.', tags: ['family'] },
  { id: 'dentist', body: 'Dentist on Tuesday at 8:30. Bring the insurance card.', tags: ['health'] },
  { id: 'bike', title: 'Bike', body: 'The chain slips. New chain and cassette ordered, 48 euros.', tags: ['home'] },
  { id: 'cake', title: 'Apple cake', body: 'Six apples, 200 g butter, 4 eggs. Bake for 50 minutes.', tags: ['recipe'] },
  { id: 'rent', body: 'From March the rent is 940 euros, heating included.', tags: ['home'], importance: 3 },
  { id: 'train', title: 'To Lisbon', body: 'Night train on 14 May, coach 12, seats 61 and 62.', tags: ['trip'] },
]

export const policyNames = Object.keys(policies) as readonly (keyof typeof policies)[]

export function policyText(name: keyof typeof policies): string {
  return pretty(policies[name])
}

export const startState: Shared = {
  question: "When is Grandma's birthday dinner?",
  policy: policyText('balanced'),
  records: pretty(records),
}

/** JSON with what fits into a line on one line: a policy then has about 60 lines. */
export function pretty(value: unknown, indent = ''): string {
  const flat = flatten(value)
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= 72) return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${pretty(one, inner)}`)
    : entriesOf(value).map(([name, one]) => `${inner}${JSON.stringify(name)}: ${pretty(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function flatten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatten).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${entriesOf(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${flatten(one)}`)
    .join(', ')} }`
}

/** JSON has no undefined. */
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, one]) => one !== undefined)
}
