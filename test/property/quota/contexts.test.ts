/** Checks quotas of sources in context packages. */
import { describe, expect, it } from 'vitest'
import type { AssembleRequest } from '../../../src/core/model/assemble.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { createRandom } from '../../support/data/random.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openEngine } from '../../support/stores/open-engine.ts'
import { flooded, shares } from './flooded.ts'

describe.each(everyPolicy)('context packages under %s', async (_name, policy) => {
  const random = createRandom(72)
  const { call } = await openEngine({ policy })
  const batch = flooded(random, 60).map(({ vectors: _vectors, ...record }, i) => ({
    ...record,
    cycles: i % 3 === 0 ? [{ periodSeconds: 86_400, amplitude: 1 + (i % 5), phaseSeconds: 0 }] : [],
  }))
  await call('put', { batch })

  it('[S4] [S5] hold no more of a source than its quota, pulled and surfaced together', async () => {
    const seen = { pulled: 0, pushed: 0, skipped: 0 }
    for (let step = 0; step < 150; step++) {
      const request: AssembleRequest = {
        text: random.pick(['jay', 'acorn winter', '']),
        perSource: random.pick(shares),
        maxItems: random.pick([1, 3, 6, 12, 25]),
        reserveProactive: random.pick([0, 0, 2, 5]),
        surfacingThreshold: random.pick([-1, 0.5, 2.5]),
      }
      const what = JSON.stringify(request)
      const made = await call('assemble', { query: request })
      const held = new Map<string | null, number>()
      for (const { source } of made.records) held.set(source, (held.get(source) ?? 0) + 1)
      for (const [source, count] of held)
        if (source !== null) expect(count, what).toBeLessThanOrEqual(request.perSource!)
      const { perSource: _perSource, ...unlimited } = request
      const everyone = await call('assemble', { query: unlimited })
      const idsOf = ({ records, ledger }: typeof made) => [...records, ...ledger].map(({ id }) => id).sort()
      expect(idsOf(made), what).toEqual(idsOf(everyone))
      for (const { reason, stage } of made.ledger) {
        if (stage !== 'quota') continue
        seen.skipped++
        expect(reason, what).toMatch(/^beyond \d+ of source "/)
      }
      // No place stays empty while a record that may take it waits.
      if (made.records.length < request.maxItems!) expect(lostTo(made, 'items'), what).toEqual([])
      if ((request.reserveProactive ?? 0) === 0) {
        const more = await call('assemble', { query: { ...request, maxItems: 40 } })
        expect(more.records.slice(0, made.records.length), what).toEqual(made.records)
      }
      seen.pulled += made.metadata.pullCount
      seen.pushed += made.metadata.pushCount
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
  })
})

function lostTo(
  { ledger }: { readonly ledger: readonly { readonly id: string; readonly stage: string }[] },
  stage: string,
) {
  return ledger.filter((entry) => entry.stage === stage).map(({ id }) => id)
}

it('surfaces due records of other sources, however many one source has', async () => {
  const { call } = await openEngine()
  const due = (amplitude: number) => [{ periodSeconds: 86_400, amplitude, phaseSeconds: 0 }]
  const flood = Array.from({ length: 30 }, (_, i) => ({ id: `f${i}`, body: `f ${i}`, source: 'flood', cycles: due(9) }))
  await call('put', { batch: [...flood, { id: 'backup', body: 'Test the backup', source: 'app', cycles: due(1) }] })
  const { proactive } = await call('assemble', { query: { maxItems: 5, perSource: 2 } })
  expect(proactive.map(({ source }) => source)).toEqual(['flood', 'flood', 'app'])
  // Control: without a quota they take every place.
  const plain = await call('assemble', { query: { maxItems: 5 } })
  expect(new Set(plain.proactive.map(({ source }) => source))).toEqual(new Set(['flood']))
})

it('a place is reserved only for records that may take it', async () => {
  const { call } = await openEngine()
  const cycles = [{ periodSeconds: 86_400, amplitude: 2, phaseSeconds: 0 }]
  const notes = Array.from({ length: 4 }, (_, i) => ({ id: `n${i}`, body: `jay ${i}`, source: i < 2 ? null : 'mail' }))
  await call('put', { batch: [...notes, { id: 'due', body: 'backup', source: 'mail', cycles }] })
  const request = { text: 'jay', maxItems: 4, reserveProactive: 1, policy: policies.balanced }
  const both = await call('assemble', { query: { ...request, perSource: 3 } })
  expect(both.proactive.map(({ id }) => id)).toEqual(['due'])
  const full = await call('assemble', { query: { ...request, perSource: 2 } })
  expect(full.records.map(({ id }) => id).sort()).toEqual(['n0', 'n1', 'n2', 'n3'])
  expect(full.proactive).toEqual([])
})

it('the ledger says of each record of a full source that the quota left it out, however far down it is', async () => {
  const { call } = await openEngine()
  const flood = Array.from({ length: 30 }, (_, i) => ({
    id: `f${i}`,
    body: `a jay among others ${i}`,
    source: 'flood',
  }))
  const others = Array.from({ length: 9 }, (_, i) => ({ id: `o${i}`, body: `jay jay bird ${i}` }))
  await call('put', { batch: [...flood, ...others, { id: 'first', body: 'jay jay jay', source: 'flood' }] })
  const request = { text: 'jay', maxItems: 2 }
  const made = await call('assemble', { query: { ...request, perSource: 1 } })
  expect(made.records.map(({ id }) => id)).toContain('first')
  expect(lostTo(made, 'quota').sort()).toEqual(flood.map(({ id }) => id).sort())
  // Control: without a quota they lose to the others.
  expect(lostTo(await call('assemble', { query: request }), 'quota')).toEqual([])
})
