/** Tests CtxSift's recall blocks: the lines of docs/spec/contexts.md#formats, byte for byte. */
import { describe, expect, it } from 'vitest'
import { formatRecallBlocks } from '../../src/core/present/recall-blocks.ts'

const now = 1_700_000_000_000
const minute = 60_000
const full = {
  id: '42',
  status: 'fresh',
  score: 187,
  createdAt: now - 3 * minute,
  instruction: 'show only failing tests',
  command: 'pytest -q',
  exitCode: 1,
  files: ['tests/test_auth.py', 'src/auth/tokens.py'],
  matched: ['fts', 'instruction', 'file_paths', 'vector'],
  text: 'FAILED tests/test_auth.py::test_login - AssertionError\n2 failed, 18 passed',
}
const bare = { id: '7', status: 'unverifiable', score: 92, createdAt: now }

describe('recall blocks', () => {
  it.each([true, false])('equal the format (escape: %s)', (escape) => {
    expect(formatRecallBlocks([full, bare], { now, escape })).toBe(
      [
        '[42] fresh score=187',
        'captured 3 minutes ago',
        'Instruction: show only failing tests',
        'Command: pytest -q',
        'Exit code: 1',
        'Files: tests/test_auth.py, src/auth/tokens.py',
        'Matched: fts, instruction, file_paths, vector',
        'Summary:',
        'FAILED tests/test_auth.py::test_login - AssertionError',
        '2 failed, 18 passed',
        '',
        '[7] unverifiable score=92',
        'captured just now',
      ].join('\n'),
    )
  })

  it('have a text for an empty answer', () => {
    expect(formatRecallBlocks([], { now })).toBe('No recall results.')
  })

  it('leave out absent, empty and blank fields, and keep exit code 0', () => {
    const nothing = { instruction: null, command: ' ', exitCode: 0, files: [], matched: [], text: '\n' }
    expect(formatRecallBlocks([{ ...bare, ...nothing }], { now })).toBe(
      '[7] unverifiable score=92\ncaptured just now\nExit code: 0',
    )
  })

  it.each([
    [-5 * minute, 'just now'],
    [0, 'just now'],
    [minute - 1, 'just now'],
    [minute, '1 minute ago'],
    [2 * minute, '2 minutes ago'],
    [60 * minute - 1, '59 minutes ago'],
    [60 * minute, '1 hour ago'],
    [24 * 60 * minute - 1, '23 hours ago'],
    [24 * 60 * minute, '1 day ago'],
    [400 * 24 * 60 * minute, '400 days ago'],
  ])('write an age of %i ms as: %s', (ageMs, words) => {
    expect(formatRecallBlocks([{ ...bare, createdAt: now - ageMs }], { now })).toContain(`\ncaptured ${words}`)
  })
})
