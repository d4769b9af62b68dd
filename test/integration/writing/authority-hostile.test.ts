/** Checks that hostile records forge nothing in authority contexts, prompts and blocks. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hit } from '../../../src/core/model/result.ts'
import { formatAuthorityBlock } from '../../../src/core/present/authority-block.ts'
import { formatRecallBlocks } from '../../../src/core/present/recall-blocks.ts'
import { reflectPrompt } from '../../../src/core/present/reflect-prompt.ts'
import { startOfTime as now, openEngine } from '../../support/stores/open-engine.ts'
import { hostileText, unseen } from '../../unit/text/hostile-text.ts'
import { authority, blockHit, config } from './authority-config.ts'

describe('[A1] 10,000 hostile records', async () => {
  const { call } = await openEngine({ authority })
  const texts = fc.sample(
    fc.tuple(hostileText, hostileText, fc.constantFrom('notes', 'canonical', 'Canonical', null)),
    {
      numRuns: 10_000,
      seed: 20261122,
    },
  )
  const batch = texts.map(([title, body, authorityTier], i) => ({
    id: `r${i}`,
    project: `p${i % 20}`,
    title: `${title}jay`,
    body: [body, null][i % 5] ?? null,
    instruction: i % 7 === 0 ? body : null,
    command: i % 11 === 0 ? title : null,
    authorityTier,
  }))
  const { records } = await call('put', { batch })
  const stored = records.filter(({ outcome }) => outcome === 'inserted').length
  const pages: (readonly Hit[])[] = []
  const contexts: string[] = []
  for (let i = 0; i < 20; i++) {
    const query = { scope: { project: `p${i}` }, limit: 1000, collapse: 'none' as const }
    const { hits, authorityContext } = await call('recall', { query })
    pages.push(hits)
    contexts.push(authorityContext!)
  }

  it('are nearly all stored, and all recalled', () => {
    expect(stored).toBeGreaterThan(8000)
    expect(pages.flat()).toHaveLength(stored)
  })

  it('forge no heading, rule, tier or tag in the authority context', () => {
    for (const [i, context] of contexts.entries()) {
      const hits = pages[i]!
      expect(frameOf(context)).toEqual(['R', '', '---', '', 'Canonical', '', 'Notes', '', '[UNASSIGNED]', ''])
      expect(itemsIn(context)).toBe(hits.length)
      expect(context).not.toMatch(/[<>]/)
      expect(context).not.toMatch(unseen)
    }
  })

  it('forge no part of a prompt', () => {
    for (const hits of pages) {
      const parts = reflectPrompt({ query: 'q', hits, authority }).map(({ content }) => content)
      expect(parts).toHaveLength(3)
      expect(frameOf(parts[1]!)).toEqual(['<memories>', '</memories>'])
      expect(itemsIn(parts[1]!)).toBe(hits.length)
      expect(parts.join('\n').match(/<\s*\/?\s*(authority_context|memories)/gi)).toHaveLength(4)
    }
  })

  it('forge no block of a recall', () => {
    for (const hits of pages) {
      const lines = formatRecallBlocks(hits.map(recallHit), { now }).split('\n')
      expect(lines.filter((line) => /^\s*\[.*score=/.test(line))).toHaveLength(hits.length)
      expect(lines.filter((line) => /^\s*captured /.test(line))).toHaveLength(hits.length)
      expect(lines.filter((line) => line === '')).toHaveLength(hits.length - 1)
      expect(lines.filter((line) => /^\s*(#|```|---|<)/.test(line))).toEqual([])
      expect(lines.join('\n')).not.toMatch(unseen)
    }
  })

  it('control: unescaped they do', () => {
    const block = formatAuthorityBlock(pages.flat().map(blockHit), config, { escape: false })!
    expect(itemsIn(block)).toBeGreaterThan(stored)
    expect(block).toMatch(/^\[CANONICAL\]$/m)
    expect(block).toMatch(/<\/memories>/)
  })
})

function recallHit({ id, score, freshness, record, matched }: Hit) {
  const { createdAt, instruction, command, exitCode, files } = record
  const paths = files.map(({ path }) => path)
  return {
    id,
    status: freshness,
    score,
    createdAt,
    instruction,
    command,
    exitCode,
    files: paths,
    matched,
    text: record.body ?? record.title,
  }
}

/** The lines that are neither an item nor the continuation of one. */
function frameOf(context: string): string[] {
  return context.split('\n').filter((line) => !line.startsWith('- ') && !line.startsWith('  | '))
}

function itemsIn(context: string): number {
  return context.split('\n').filter((line) => line.startsWith('- ')).length
}
