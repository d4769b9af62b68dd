/** Kills processes that share a store in a file; `node test/torture/run.mjs t16` kills a thousand. */
import { expect, test } from 'vitest'
import { killWriters } from '../../../support/processes/kill-writers.ts'

test('[P1] [T2] SIGKILL right after an acknowledgement, 10 times, of the owner or a follower: nothing is lost, done twice or comes back', async () => {
  const { kills, leaders, acknowledged, ...found } = await killWriters({
    kills: 10,
    seed: 1,
    mode: 'shipped',
    judgeEvery: 5,
  })
  expect(found).toEqual({ lost: [], returned: [], errors: [] })
  expect(kills).toBe(10)
  expect(leaders).toBeGreaterThan(0)
  expect(leaders).toBeLessThan(10)
  expect(acknowledged).toBeGreaterThan(20)
})

test('[K2] the same kills lose nothing of a locked store', async () => {
  const { kills, acknowledged, ...found } = await killWriters({
    kills: 6,
    seed: 2,
    mode: 'shipped',
    judgeEvery: 3,
    isLocked: true,
  })
  expect(found).toMatchObject({ lost: [], returned: [], errors: [] })
  expect(kills).toBe(6)
  expect(acknowledged).toBeGreaterThan(10)
})

test('control: writes that are acknowledged before they are durable are lost', async () => {
  const { lost } = await killWriters({ kills: 40, seed: 1, mode: 'early', judgeEvery: 2 })
  expect(lost.length).toBeGreaterThan(0)
})
