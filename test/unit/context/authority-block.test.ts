/**
 * Tests the authority block with hostile texts, read back by a parser that knows only the format; ceiling and
 * redaction.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAuthorityBlock } from '../../../src/core/present/authority-block.ts'
import { estimateTokens } from '../../../src/core/text/tokens/token-count.ts'
import { anyLineEnd, decodedItem, hostileText, tameText, unseen } from '../text/hostile-text.ts'

const seed = 20240922
const hitsPerBlock = 5
const config = {
  rules: 'Trust the first tier.',
  tiers: [
    { id: 'notes', priority: 2, label: 'Notes' },
    { id: 'canonical', label: 'Canonical' },
    { id: 'plain', priority: 3 },
  ],
}
const tier = fc.constantFrom('canonical', 'notes', 'plain', 'unknown', null)
const hostileHits = fc.array(fc.record({ text: hostileText, authorityTier: tier }), {
  minLength: hitsPerBlock,
  maxLength: hitsPerBlock,
})
const tameHits = fc.array(fc.record({ text: tameText, authorityTier: tier }), { maxLength: 12 })

describe('formatAuthorityBlock', () => {
  it('[A1] 10,000 hostile texts read back as exactly the same structure, complete', () => {
    fc.assert(
      fc.property(hostileHits, (hits) => {
        const block = formatAuthorityBlock(hits, config)!
        expect(parseBlock(block)).toEqual(expected(hits))
        expect(block).not.toMatch(/[<>]/)
        expect(block).not.toMatch(unseen)
      }),
      { seed, numRuns: 10_000 / hitsPerBlock },
    )
  })

  it('[A1] read by trimmed lines, no text is a heading, a rule, an item or a statement of the block', () => {
    fc.assert(
      fc.property(hostileHits, (hits) => {
        const trimmed = formatAuthorityBlock(hits, config)!
          .split(anyLineEnd)
          .map((line) => line.trim())
        expect(trimmed.filter((line) => line === '---')).toHaveLength(1)
        expect(trimmed.filter((line) => /^-( |$)/.test(line))).toHaveLength(hits.length)
        for (const line of ['Canonical', 'Notes', '[plain]'])
          expect(trimmed.filter((other) => other === line)).toHaveLength(1)
        expect(trimmed.filter((line) => line === '[UNASSIGNED]').length).toBeLessThanOrEqual(1)
        expect(trimmed.filter((line) => line.startsWith('#') || line.startsWith('```'))).toEqual([])
      }),
      { seed, numRuns: 10_000 / hitsPerBlock },
    )
  })

  it('control: without escaping the same texts break the structure', () => {
    const unescaped = fc.check(
      fc.property(hostileHits, (hits) => {
        expect(parseBlock(formatAuthorityBlock(hits, config, { escape: false })!)).toEqual(expected(hits))
      }),
      { seed, numRuns: 200 },
    )
    expect(unescaped.failed).toBe(true)
  })

  it('[S1] under a ceiling it keeps complete hits, counts the others, and fits unless the headings alone do not', () => {
    fc.assert(
      fc.property(tameHits, fc.integer({ min: 0, max: 300 }), (hits, maxTokens) => {
        const block = formatAuthorityBlock(hits, config, { maxTokens })!
        const whole = formatAuthorityBlock(hits, config)!
        const kept = block.split('\n').filter((line) => line.startsWith('- '))
        const leftOut = [...block.matchAll(/^\((\d+) more hits? left out\)$/gm)].reduce(
          (sum, [, n]) => sum + Number(n),
          0,
        )
        expect(kept.length + leftOut).toBe(hits.length)
        expect(isSubsequence(kept, whole.split('\n'))).toBe(true)
        if (estimateTokens(whole) <= maxTokens) expect(block).toBe(whole)
        else if (kept.length > 0) expect(estimateTokens(block)).toBeLessThanOrEqual(maxTokens)
      }),
      { seed, numRuns: 1000 },
    )
  })

  it('skips a hit that is too large for the ceiling and keeps the next', () => {
    const hits = [
      { text: 'long '.repeat(500), authorityTier: 'canonical' },
      { text: 'short', authorityTier: 'canonical' },
    ]
    expect(formatAuthorityBlock(hits, { tiers: [{ id: 'canonical', label: 'C' }] }, { maxTokens: 60 })).toBe(
      'C\n- short\n(1 more hit left out)\n',
    )
  })

  it('counts with the given counter', () => {
    const hits = [{ text: 'a' }, { text: 'b' }]
    const options = { maxTokens: 45, countTokens: (text: string) => text.length }
    expect(formatAuthorityBlock(hits, { tiers: [{ id: 't' }] }, options)).not.toContain('- a')
  })

  it('redacts before it formats', () => {
    const redact = (text: string) => text.replace('<secret>', '<gone>\n- x')
    const block = formatAuthorityBlock([{ text: 'a <secret>' }], { tiers: [{ id: 't' }] }, { redact })
    expect(block).toBe('[t]\n(no hits in this tier)\n\n[UNASSIGNED]\n- a &lt;gone&gt;\n  | - x\n')
  })

  it('refuses a malformed ceiling', () => {
    for (const maxTokens of [-1, Number.NaN])
      expect(() => formatAuthorityBlock([], config, { maxTokens })).toThrow(/^`maxTokens`/)
  })
})

interface ParsedSection {
  readonly heading: string
  readonly items: readonly string[]
}

/** Reads headings, items and their further lines by how lines begin, and by nothing else. */
function parseBlock(block: string): { rules: string[]; sections: ParsedSection[] } {
  const lines = block.split(anyLineEnd)
  const rule = lines.indexOf('---')
  const sections: { heading: string; items: string[][] }[] = []
  for (const line of lines.slice(rule + 2)) {
    const section = sections.at(-1)
    const item = section?.items.at(-1)
    if (line === '-' || line.startsWith('- ')) section?.items.push([line.slice(2)])
    else if (line.startsWith('  | ') && item !== undefined) item.push(line.slice(4))
    else if (line !== '' && line !== '(no hits in this tier)') sections.push({ heading: line, items: [] })
  }
  return {
    rules: lines.slice(0, rule - 1),
    sections: sections.map(({ heading, items }) => ({ heading, items: items.map(decodedItem) })),
  }
}

function expected(hits: readonly { text: string; authorityTier: string | null }[]): ReturnType<typeof parseBlock> {
  const of = (id: string) => hits.filter((hit) => hit.authorityTier === id).map((hit) => hit.text)
  const rest = hits
    .filter((hit) => hit.authorityTier === null || hit.authorityTier === 'unknown')
    .map((hit) => hit.text)
  const sections = [
    { heading: 'Canonical', items: of('canonical') },
    { heading: 'Notes', items: of('notes') },
    { heading: '[plain]', items: of('plain') },
  ]
  return {
    rules: ['Trust the first tier.'],
    sections: rest.length === 0 ? sections : [...sections, { heading: '[UNASSIGNED]', items: rest }],
  }
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  return part.every((line) => {
    at = whole.indexOf(line, at) + 1
    return at > 0
  })
}
