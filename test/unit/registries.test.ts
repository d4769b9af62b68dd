/** The closed registries: nobody adds to them or weighs them anew. */
import { expect, it } from 'vitest'
import { reasonCodes } from '../../src/core/model/reason-codes.ts'
import { riskFlags } from '../../src/core/model/risk-flags.ts'

it.each([
  ['reason codes', reasonCodes],
  ['risk flags', riskFlags],
])('%s are frozen through and through', (_, registry) => {
  expect(Object.isFrozen(registry)).toBe(true)
  for (const row of Object.values(registry)) expect(Object.isFrozen(row)).toBe(true)
})
