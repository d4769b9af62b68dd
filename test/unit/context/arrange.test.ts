/** [H6] Tests the order in which the turns of a chat are packed. */
import { expect, test } from 'vitest'
import { arrange } from '../../../src/core/assemble/arrange.ts'
import type { Hit } from '../../../src/core/model/result.ts'

const places = { later: [], rules: [], profile: [] }
const turn = (id: string, role: string, body: string) =>
  ({ id, record: { id, kind: 'turn', title: null, metadata: { role }, body, session: null } }) as unknown as Hit
const order = (assistant: string) =>
  arrange([turn('a', 'assistant', assistant), turn('u', 'user', 'The violin lesson is on Monday.')], places, {
    roles: undefined,
    asked: 'When is my violin lesson?',
  }).entries.map(({ record }) => record.id)

test('[H6] what an assistant says about another matter comes last, and about the matter keeps its place', () => {
  expect(order('Copper melts at high heat.')).toEqual(['u', 'a'])
  expect(order('Your violin lesson moved to Tuesday.')).toEqual(['a', 'u'])
})
