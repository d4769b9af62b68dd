/** Tests that a page which reads its store for each change also shows a store that changes all the time. */
import { expect, test } from 'vitest'
import { oneAtATime } from '../../../demo/shared/one-at-a-time.ts'

test('calls during a run lead to one more run, and each run ends', async () => {
  const log: string[] = []
  const ends: (() => void)[] = []
  const run = oneAtATime(async () => {
    log.push('begin')
    await new Promise<void>((resolve) => ends.push(resolve))
    log.push('end')
  })
  const all = [run(), run(), run()]
  ends[0]!()
  await expect.poll(() => ends.length).toBe(2)
  expect(log).toEqual(['begin', 'end', 'begin'])
  ends[1]!()
  await Promise.all(all)
  expect(log).toEqual(['begin', 'end', 'begin', 'end'])
})

test('a run that fails rejects, and the next call runs again', async () => {
  let runs = 0
  const run = oneAtATime(async () => {
    if (++runs === 1) throw new Error('not read')
  })
  await expect(run()).rejects.toThrow('not read')
  await run()
  expect(runs).toBe(2)
})
