/** Compares freshness with a table of docs/spec/recall.md#freshness, over every combination of known facts about a file. */
import { describe, expect, it } from 'vitest'
import { type FileState, fileStatesByPath, freshnessOf } from '../../../src/core/evidence/freshness.ts'
import type { Freshness } from '../../../src/core/model/result.ts'

const capturedAt = 1_000_000
const path = 'src/a.ts'

const existedAtCapture = [undefined, true, false]
const existsNow = [true, false]
const hashes = ['unknown', 'only then', 'only now', 'equal', 'differs'] as const
const mtimes = [undefined, null, 0, capturedAt, capturedAt + 1000, capturedAt + 1001]
const codes = [undefined, null, '', '  ', 'M', 'D', ' D', '??']

const combinations = existedAtCapture.flatMap((existed) =>
  existsNow.flatMap((exists) =>
    hashes.flatMap((hash) => mtimes.flatMap((mtime) => codes.map((git) => ({ existed, exists, hash, mtime, git })))),
  ),
)
type Combination = (typeof combinations)[number]

/** The rules as a list: the first one whose condition holds applies. */
function byTable({ existed, exists, hash, mtime, git }: Combination): Freshness {
  const was = existed !== false
  const code = git === undefined || git === null ? '' : git.trim()
  const rules: [boolean, Freshness][] = [
    [was && !exists, 'stale_deleted'],
    [!was && exists, 'stale_changed'],
    [!was && !exists, 'unknown'],
    [code === 'D', 'stale_deleted'],
    [code !== '', 'stale_changed'],
    [hash === 'differs', 'stale_changed'],
    [hash === 'equal', 'fresh'],
    [typeof mtime === 'number' && mtime - capturedAt > 1000, 'stale_changed'],
  ]
  return rules.find(([holds]) => holds)?.[1] ?? 'fresh'
}

function fileOf({ existed, hash }: Combination) {
  return { path, existed, sha256: hash === 'unknown' || hash === 'only now' ? null : 'aa' }
}

function stateOf({ exists, hash, mtime, git }: Combination): FileState {
  const sha256 = { unknown: undefined, 'only then': null, 'only now': 'aa', equal: 'aa', differs: 'bb' }[hash]
  return { path, exists, sha256, mtime, git }
}

describe('freshnessOf', () => {
  it(`equals the table in all ${combinations.length} combinations`, () => {
    for (const combination of combinations)
      expect([combination, freshnessOf([fileOf(combination)], [stateOf(combination)], capturedAt)]).toEqual([
        combination,
        byTable(combination),
      ])
  })

  it('is unverifiable without references and unknown where no state is known', () => {
    expect(freshnessOf([], [{ path, exists: true }], capturedAt)).toBe('unverifiable')
    expect(freshnessOf([{ path }], [], capturedAt)).toBe('unknown')
    expect(freshnessOf([{ path: ' ' }], [{ path: ' ', exists: true }], capturedAt)).toBe('unknown')
  })

  it('treats no time as too old, however old the capture', () => {
    expect(freshnessOf([{ path }], [{ path, exists: true }], -1e12)).toBe('fresh')
    expect(freshnessOf([{ path }], [{ path, exists: true, mtime: 0 }], -1e12)).toBe('stale_changed')
  })

  const files = ['fresh', 'unknown', 'changed', 'deleted'].map((name) => ({ path: name }))
  const states: FileState[] = [
    { path: 'fresh', exists: true },
    { path: 'changed', exists: true, git: 'M' },
    { path: 'deleted', exists: false },
  ]
  const freshness = (names: readonly string[], pick: 'worst' | 'first-stale') =>
    freshnessOf(
      names.map((name) => files.find((file) => file.path === name) ?? { path: name }),
      states,
      capturedAt,
      { pick },
    )

  it('is the worst of its files', () => {
    expect(freshness(['fresh'], 'worst')).toBe('fresh')
    expect(freshness(['fresh', 'unknown'], 'worst')).toBe('unknown')
    expect(freshness(['unknown', 'changed', 'fresh'], 'worst')).toBe('stale_changed')
    expect(freshness(['changed', 'deleted', 'unknown'], 'worst')).toBe('stale_deleted')
  })

  it("is the first stale one by CtxSift's rule", () => {
    expect(freshness(['unknown', 'changed', 'deleted'], 'first-stale')).toBe('stale_changed')
    expect(freshness(['deleted', 'changed'], 'first-stale')).toBe('stale_deleted')
    expect(freshness(['fresh', 'unknown'], 'first-stale')).toBe('unknown')
    expect(freshness(['fresh', 'fresh'], 'first-stale')).toBe('fresh')
    expect(freshnessOf([], states, capturedAt, { pick: 'first-stale' })).toBe('unverifiable')
  })

  it('treats \\ as / on either side, in an array and in a map', () => {
    const windows = { path: 'src\\a.ts', exists: false }
    for (const reference of ['src/a.ts', 'src\\a.ts'])
      for (const known of [
        [windows],
        [{ ...windows, path }],
        fileStatesByPath([windows]),
        new Map([[windows.path, windows]]),
      ])
        expect(freshnessOf([{ path: reference }], known, capturedAt)).toBe('stale_deleted')
    expect(freshnessOf([{ path: 'SRC/a.ts' }], [windows], capturedAt)).toBe('unknown')
  })

  it('uses the later of two states of a path', () => {
    const known = [
      { path: 'src\\a.ts', exists: false },
      { path, exists: true },
    ]
    expect(freshnessOf([{ path }], known, capturedAt)).toBe('fresh')
  })
})
