/** @jest-environment jsdom */
import { ask } from './ask.js'

test('jsdom without its missing globals is refused, with a hint', async () => {
  await expect(ask()).rejects.toMatchObject({
    name: 'RecallError',
    code: 'INVALID_CONFIG',
    message: expect.stringMatching(/TextEncoder.*jest-fixed-jsdom/),
  })
}, 60_000)
