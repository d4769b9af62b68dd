/** Tests ADR-004's block: the vector of docs/spec/ranking.md#parity-vectors and the format of #authority, byte for byte. */
import { describe, expect, it } from 'vitest'
import { tierOf } from '../../src/core/ingest/authority-tier.ts'
import { formatAuthorityBlock } from '../../src/core/present/authority-block.ts'

const config = {
  enabled: true,
  rules: 'R',
  tiers: [
    { id: 'notes', priority: 2, label: 'Notes' },
    { id: 'canonical', priority: 1, label: 'Canonical' },
  ],
}
const hits = [
  { text: 'A', authorityTier: 'notes' },
  { text: 'B', authorityTier: 'canonical' },
  { text: 'C', authorityTier: null },
]

describe('authority block', () => {
  it.each([true, false])('equals the vector of the specification (escape: %s)', (escape) => {
    const lines = ['R', '', '---', '', 'Canonical', '- B', '', 'Notes', '- A', '', '[UNASSIGNED]', '- C', '']
    expect(formatAuthorityBlock(hits, config, { escape })).toBe(lines.join('\n'))
  })

  it('has no rule line without rules, and lists the empty tiers', () => {
    expect(formatAuthorityBlock([], { ...config, rules: '  ' })).toBe(
      'Canonical\n(no hits in this tier)\n\nNotes\n(no hits in this tier)\n',
    )
  })

  it('orders tiers by priority, then id; labels are trimmed, and a blank one gives the id', () => {
    const tiers = [{ id: 'b' }, { id: 'a', label: ' ' }, { id: 'z', priority: 0, label: ' First ' }]
    expect(
      formatAuthorityBlock([], { tiers })
        ?.split('\n')
        .filter((_, i) => i % 3 === 0),
    ).toEqual(['First', '[a]', '[b]'])
  })

  it('gives the trimmed rules alone without tiers, null without both, null when disabled', () => {
    expect(formatAuthorityBlock(hits, { rules: ' R \n' })).toBe('R')
    expect(formatAuthorityBlock(hits, {})).toBeNull()
    expect(formatAuthorityBlock(hits, { ...config, enabled: false })).toBeNull()
  })

  it('keeps fused order inside a tier, trims tier names, and lists unknown tiers as unassigned', () => {
    const mixed = [
      { text: '2', authorityTier: ' notes ' },
      { text: '1', authorityTier: 'notes' },
      { text: '3', authorityTier: 'gone' },
      { text: '4' },
    ]
    expect(formatAuthorityBlock(mixed, config)?.split('\n').slice(7)).toEqual([
      'Notes',
      '- 2',
      '- 1',
      '',
      '[UNASSIGNED]',
      '- 3',
      '- 4',
      '',
    ])
  })

  it('writes texts trimmed and otherwise raw without escaping', () => {
    const raw = [{ text: ' x\n---\n<b> & [CANONICAL] \n', authorityTier: 'notes' }]
    expect(formatAuthorityBlock(raw, config, { escape: false })).toContain('\nNotes\n- x\n---\n<b> & [CANONICAL]\n')
  })
})

describe('tier at put', () => {
  const maps = { tierByProfile: { pdf: 'canonical' }, tierByBank: { wiki: 'notes' } }

  it("is the profile's, else the bank's, else the caller's", () => {
    const own = { authorityTier: 'own' }
    expect(tierOf({ ...own, profile: 'pdf', bank: 'wiki' }, maps)).toBe('canonical')
    expect(tierOf({ ...own, profile: 'other', bank: 'wiki' }, maps)).toBe('notes')
    expect(tierOf({ ...own, bank: 'other' }, maps)).toBe('own')
    expect(tierOf({ bank: 'constructor' }, maps)).toBeNull()
    expect(tierOf({ ...own, profile: 'pdf' }, { ...maps, enabled: false })).toBe('own')
  })
})
