import { expect, test } from 'vitest'
import { ask } from './ask.js'

test('a store opens under a document that is made up', async () => {
  expect(typeof document).toBe('object')
  expect(await ask()).toEqual({ ids: ['a'], isVectorRun: true })
}, 60_000)
