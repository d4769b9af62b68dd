import { expect, test } from 'vitest'
import { ask } from './ask.js'

test('a store opens under a simulated document', async () => {
  expect(typeof document).toBe('object')
  expect(await ask()).toEqual({ ids: ['a'], isVectorRun: true })
}, 60_000)
