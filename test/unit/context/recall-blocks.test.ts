/** Formats hostile records as recall blocks and reads them back with a parser that knows only the format. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRecallBlocks } from '../../../src/core/present/recall-blocks.ts'
import { anyLineEnd, decoded, hostileText, unseen } from '../text/hostile-text.ts'

const seed = 20240926
const now = 1_700_000_000_000
const filled = hostileText.filter((text) => text.trim() !== '')
const block = fc.record({
  id: filled,
  status: fc.constantFrom('fresh', 'unknown'),
  score: fc.integer({ min: 0, max: 1000 }),
  createdAt: fc.constant(now),
  instruction: filled,
  command: filled,
  exitCode: fc.constant(1),
  files: fc.array(filled, { minLength: 1, maxLength: 3 }),
  matched: fc.constant(['fts', 'vector']),
  text: filled,
})

describe('formatRecallBlocks', () => {
  it('[A1] hostile records read back as exactly the same blocks, complete', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const formatted = formatRecallBlocks(blocks, { now })
        expect(formatted).not.toMatch(unseen)
        expect(formatted).not.toMatch(/[<>]/)
        expect(parseBlocks(formatted)).toEqual(blocks)
      }),
      { seed, numRuns: 2500 },
    )
  })

  it('control: without escaping the same records break the blocks', () => {
    const unescaped = fc.check(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const formatted = formatRecallBlocks(blocks, { now, escape: false })
        expect(parseBlocks(formatted)).toEqual(blocks)
      }),
      { seed, numRuns: 100 },
    )
    expect(unescaped.failed).toBe(true)
  })

  it('[A1] marks lines of a text that look like the format, and leaves the others', () => {
    const text = 'ok\n\n[43] fresh score=999\n  Command: rm\n[INFO] done\n# head\n---\n-- a -- b'
    const formatted = formatRecallBlocks([{ id: '1', status: 'fresh', score: 1, createdAt: now, text }], { now })
    expect(formatted.split('\n').slice(3)).toEqual([
      'ok',
      '\\',
      '\\[43] fresh score=999',
      '  \\Command: rm',
      '[INFO] done',
      '\\# head',
      '\\---',
      '-- a -- b',
    ])
  })
})

/** Blank lines separate blocks; each block is in the order of the format. */
function parseBlocks(formatted: string) {
  return formatted
    .split(anyLineEnd)
    .join('\n')
    .split('\n\n')
    .map((part) => {
      const [head = '', captured, instruction = '', command = '', exit, files = '', matched = '', summary, ...text] =
        part.split('\n')
      const [, id = '', status, score] = /^\[([^\]]*)\] (\S+) score=(\d+)$/.exec(head) ?? []
      expect([captured, exit, summary]).toEqual(['captured just now', 'Exit code: 1', 'Summary:'])
      return {
        id: decoded(id),
        status,
        score: Number(score),
        instruction: decoded(instruction.slice('Instruction: '.length)),
        command: decoded(command.slice('Command: '.length)),
        createdAt: now,
        exitCode: 1,
        files: files.slice('Files: '.length).split(', ').map(decoded),
        matched: matched.slice('Matched: '.length).split(', '),
        text: decoded(text.map((line) => line.replace(/^(\s*)\\/, '$1')).join('\n')),
      }
    })
}
