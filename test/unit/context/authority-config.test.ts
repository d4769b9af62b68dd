/** Tests authority configurations: defaults and refusals; and tiers that never rise. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combineTiers } from '../../../src/core/ingest/authority-tier.ts'
import { parseAuthorityConfig } from '../../../src/core/ingest/parse-authority.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'

const seed = 20240924

describe('parseAuthorityConfig', () => {
  it('fills in defaults and puts tiers in the order of the block', () => {
    expect(
      parseAuthorityConfig({ tiers: [{ id: 'b' }, { id: 'a' }, { id: 'z', priority: 0.5, label: ' Z ' }] }),
    ).toEqual({
      enabled: true,
      rules: null,
      tiers: [
        { id: 'z', priority: 0.5, label: 'Z' },
        { id: 'a', priority: 1, label: null },
        { id: 'b', priority: 1, label: null },
      ],
      tierByBank: {},
      tierByProfile: {},
      applyToReflect: true,
    })
  })

  it('resolves a resolved configuration to itself', () => {
    const once = parseAuthorityConfig({ rules: ' R ', tiers: [{ id: 'b' }, { id: 'a' }], tierByBank: { x: 'a' } })
    expect(parseAuthorityConfig(once)).toEqual(once)
  })

  it.each<[string, unknown]>([
    ['authority', 'R'],
    ['authority.tier', { tier: [] }],
    ['authority.enabled', { enabled: 'yes' }],
    ['authority.rules', { rules: () => 'R' }],
    ['authority.tiers', { tiers: {} }],
    ['authority.tiers[0]', { tiers: ['a'] }],
    ['authority.tiers[0].id', { tiers: [{ id: ' ' }] }],
    ['authority.tiers[0].id', { tiers: [{ priority: 1 }] }],
    ['authority.tiers[1].id', { tiers: [{ id: 'a' }, { id: 'a', priority: 2 }] }],
    ['authority.tiers[0].id', { tiers: [{ id: 'a\nb' }] }],
    ['authority.tiers[0].label', { tiers: [{ id: 'a', label: 'A\u2028B' }] }],
    ['authority.tiers[0].priority', { tiers: [{ id: 'a', priority: Number.NaN }] }],
    ['authority.tiers[0].rank', { tiers: [{ id: 'a', rank: 1 }] }],
    ['authority.tierByBank', { tierByBank: ['a'] }],
    ['authority.tierByBank.wiki', { tierByBank: { wiki: '' } }],
    ['authority.tierByProfile.pdf', { tierByProfile: { pdf: 1 } }],
    ['authority.applyToReflect', { applyToReflect: 1 }],
  ])('[E1] refuses %s in %j with field and hint', (field, config) => {
    expect(() => parseAuthorityConfig(config)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field, hint: expect.any(String), value: expect.any(String) }),
    )
  })
})

describe('combineTiers', () => {
  const tiers = [
    { id: 'canonical' },
    { id: 'notes', priority: 3 },
    { id: 'advice', priority: 2 },
    { id: 'also', priority: 2 },
  ]
  const highestFirst = ['canonical', 'advice', 'also', 'notes']

  it('returns the lowest tier, and none where a source has none', () => {
    expect(combineTiers(['canonical', 'notes', 'advice'], { tiers })).toBe('notes')
    expect(combineTiers(['also', 'advice'], { tiers })).toBe('also')
    expect(combineTiers(['canonical', null], { tiers })).toBeNull()
    expect(combineTiers(['canonical', 'unknown'], { tiers })).toBeNull()
    expect(combineTiers([], { tiers })).toBeNull()
    expect(combineTiers(['unknown', ' unknown '], { tiers })).toBe('unknown')
  })

  it('[A2] never returns a tier above any source, in any order, and adding a source never raises it', () => {
    const source = fc.constantFrom(...highestFirst, 'unknown', null, undefined, ' ')
    const rank = (tier: string | null | undefined) => {
      const at = highestFirst.indexOf(tier ?? '')
      return at === -1 ? highestFirst.length : at
    }
    fc.assert(
      fc.property(fc.array(source, { minLength: 1, maxLength: 6 }), source, (sources, added) => {
        const derived = combineTiers(sources, { tiers })
        expect(rank(derived)).toBe(Math.max(...sources.map(rank)))
        expect(combineTiers([...sources].reverse(), { tiers })).toBe(derived)
        expect(rank(combineTiers([...sources, added], { tiers }))).toBeGreaterThanOrEqual(rank(derived))
        expect(combineTiers([derived, derived], { tiers })).toBe(derived)
      }),
      { seed, numRuns: 2000 },
    )
  })

  it('[A2] ranks tiers in the order of the block', () => {
    const inBlock = [...tiers].sort((a, b) => (a.priority ?? 1) - (b.priority ?? 1) || compareCodePoints(a.id, b.id))
    expect(inBlock.map((tier) => tier.id)).toEqual(highestFirst)
  })
})
