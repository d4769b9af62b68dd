/** Tests which earlier versions of a note the notes app shows, and how it shows what differs. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines } from '../../../demo/notes/model/diff-lines.ts'
import { worthShowing } from '../../../demo/notes/model/versions.ts'
import type { StoredVersion } from '../../../src/index.ts'

const second = 1_000
const hour = 3_600 * second

describe('the versions that are shown', () => {
  test('are the last one, those that stood for long, and few of those that were typed through', () => {
    // Written for a minute at 0 h and again at 5 h, with a stored text each second.
    const times = [
      ...Array.from({ length: 60 }, (_, i) => i * second),
      ...Array.from({ length: 60 }, (_, i) => 5 * hour + i * second),
    ]
    const shown = worthShowing(versionsOf(times), 6 * hour)
    expect(shown.map(({ body }) => body)).toEqual(['text 118', 'text 59'])
    // Just after writing, one for each 20 seconds.
    expect(worthShowing(versionsOf(times.slice(0, 60)), 60 * second).map(({ body }) => body)).toEqual([
      'text 58',
      'text 37',
      'text 16',
    ])
  })

  test('leave out what only changed in tags or the trash, and empty texts', () => {
    const versions: readonly StoredVersion[] = [
      { from: 3 * hour, until: null, record: { title: 'A', body: 'now' } },
      { from: 2 * hour, until: 3 * hour, record: { title: 'A', body: 'now', tags: ['pinned'] } },
      { from: hour, until: 2 * hour, record: { title: 'A', body: 'one\r\ntwo' } },
      { from: null, until: hour, record: {} },
    ]
    expect(worthShowing(versions, 3 * hour)).toEqual([{ until: 2 * hour, title: 'A', body: 'one\ntwo' }])
    expect(worthShowing([], 0)).toEqual([])
  })
})

describe('what differs', () => {
  test('has the lines that differ, and the equal ones next to them', () => {
    expect(diffLines('a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nX\ne\nf\ng').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'gap …',
      'same c',
      'old d',
      'new X',
      'same e',
      'gap …',
    ])
    expect(diffLines('same', 'same').map(({ kind }) => kind)).toEqual(['gap'])
  })

  test('rebuilds both texts, with as few lines as can be', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 8 })
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after).filter(({ kind }) => kind !== 'gap')
        const isPart = (kinds: readonly string[], whole: string) => {
          const rest = whole.split('\n')
          return lines
            .filter(({ kind }) => kinds.includes(kind))
            .every((line) => {
              const at = rest.indexOf(line.text)
              rest.splice(0, at + 1)
              return at >= 0
            })
        }
        expect(isPart(['same', 'old'], before)).toBe(true)
        expect(isPart(['same', 'new'], after)).toBe(true)
        const count = (kind: string) => lines.filter((line) => line.kind === kind).length
        const [from, to] = [before.split('\n'), after.split('\n')]
        const most = mostInCommon(from, to)
        expect([count('old'), count('new')]).toEqual([from.length - most, to.length - most])
      }),
      { seed: 5, numRuns: 300 },
    )
  })

  test('of long texts without a common part is all of both', () => {
    const long = (word: string) => Array.from({ length: 1_500 }, (_, i) => `${word} ${i}`).join('\n')
    expect(diffLines(long('a'), long('b')).length).toBe(3_000)
  })
})

/** The length of the longest list that both hold in this order, by trying all. */
function mostInCommon([first, ...rest]: readonly string[], other: readonly string[]): number {
  if (first === undefined) return 0
  const at = other.indexOf(first)
  const without = mostInCommon(rest, other)
  return at < 0 ? without : Math.max(without, 1 + mostInCommon(rest, other.slice(at + 1)))
}

/** One text per time, each replaced by the next; the last is the present one. */
function versionsOf(times: readonly number[]): readonly StoredVersion[] {
  return times
    .map((from, i) => ({ from, until: times[i + 1] ?? null, record: { title: 'T', body: `text ${i}` } }))
    .reverse()
}
