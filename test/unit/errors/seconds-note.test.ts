/** Checks that a time in seconds is stored unchanged, and the receipt warns about it. */
import { describe, expect, it } from 'vitest'
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { planWrite } from '../../../src/core/ingest/plan-write.ts'

const now = Date.UTC(2026, 10, 23)

function outcomeOf(fields: object, at = now) {
  const record = parseRecord({ id: 'a', body: 'planted garlic', ...fields })
  const { outcomes } = planWrite([{ record, vectors: [], spans: [], vectorsHash: null }], new Map(), at)
  return outcomes[0]
}

describe('[E1] a time given in seconds', () => {
  it.each(['createdAt', 'updatedAt', 'occurredAt', 'validFrom', 'validUntil', 'expiresAt'])(
    'is noted in the receipt: %s',
    (field) => {
      expect(outcomeOf({ [field]: 1_700_000_000 })).toEqual({
        id: 'a',
        outcome: 'inserted',
        bodyChanged: true,
        note: `${field} 1700000000 is a time early in 1970. Times are milliseconds since the epoch; if it is in seconds, multiply it by 1,000.`,
      })
    },
  )

  it('control: milliseconds, early times and small times from a test clock are not noted', () => {
    for (const createdAt of [now, 0, 86_400_000, -1_700_000_000, 1_700_000_000_000])
      expect(outcomeOf({ createdAt })).not.toHaveProperty('note')
    expect(outcomeOf({ createdAt: 1_700_000_000 }, 2_000_000_000)).not.toHaveProperty('note')
  })
})
