/** A world of tabs for each test of the importing file. */
import { afterEach, beforeEach, expect } from 'vitest'
import { createWorld, type TestTab, type World } from '../../support/tabs-world.ts'

export let world: World

beforeEach(async () => {
  world = await createWorld()
})

afterEach(async () => {
  await world.end()
  expect(world.owners).toEqual({ now: 0, most: 1 })
  expect([world.locks.held(), world.locks.waiting()]).toEqual([0, 0])
})

export const roleOf = async (tab: TestTab) => (await tab.call('status', {})).role
export const put = (tab: TestTab, id: string, context = {}) =>
  tab.call('put', { batch: [{ id, body: `text of ${id}` }] }, context)
export const idsIn = async (tab: TestTab) => (await tab.call('list', { filter: {} })).items.map(({ id }) => id).sort()
