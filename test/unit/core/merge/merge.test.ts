/** Tests the parts of core/merge one by one: clock, lives, links, conflicts. */
import { describe, expect, test } from 'vitest'
import { addWeight, mergeLinks, newLink, setWeight, weightOf } from '../../../../src/core/merge/links.ts'
import { digestOf, mergeVersions, putVersion } from '../../../../src/core/merge/lives.ts'
import { mergeStores } from '../../../../src/core/merge/merge-stores.ts'
import { clockAfter, compareStamps, isFarAhead, nextStamp, startClock } from '../../../../src/core/merge/stamp.ts'
import { tombstoneMark } from '../../../../src/core/merge/tombstone-mark.ts'
import { tuning } from '../../../../src/core/model/tuning.ts'
import { canonicalJson } from '../../../../src/core/text/hash/canonical.ts'
import { bytesOf, Device, merge } from '../../../support/merge-lives.ts'
import { contentFor, textsOf } from '../../../support/merge-texts.ts'
import { now, stamp } from './stamps.ts'

const hour = 3_600_000
const bodyOf = (device: Device, id: string) => textsOf(device.state.records.get(id)!.version.content).body
const day = 24 * hour

describe('a clock', () => {
  test('gives stamps that rise, also while the wall clock stops, is set back or is unknown', () => {
    let clock = startClock('a')
    for (const wall of [
      now,
      now,
      now - hour,
      Number.NaN,
      now - 0.5,
      now + 0.5,
      now + 1,
      Number.POSITIVE_INFINITY,
      now,
    ]) {
      const next = nextStamp(clock, wall)
      expect(compareStamps(next, clock)).toBeGreaterThan(0)
      expect(Number.isSafeInteger(next.at)).toBe(true)
      clock = next
    }
    expect(clock).toEqual({ at: tuning.maxTimestampMs, count: 1, device: 'a' })
  })

  test('exceeds every stamp that was seen, and keeps its device', () => {
    const seen = stamp(now + hour, 'z', 7)
    const clock = clockAfter(startClock('a'), seen)
    expect(nextStamp(clock, now)).toEqual({ at: now + hour, count: 8, device: 'a' })
    expect(clockAfter(clock, stamp(now))).toBe(clock)
  })

  test('orders by time, count, then device in code points', () => {
    const ordered = [stamp(1, '\ufb01'), stamp(1, '\u{1f426}'), stamp(1, 'a', 1), stamp(2, 'a')]
    expect([...ordered].reverse().sort(compareStamps)).toEqual(ordered)
  })

  test('calls a stamp far ahead that is more than a day beyond the wall clock and all that was seen', () => {
    expect(isFarAhead(stamp(now + day), startClock('a'), now)).toBe(false)
    expect(isFarAhead(stamp(now + day + 1), startClock('a'), now)).toBe(true)
    expect(isFarAhead(stamp(now + day + 1), stamp(now + 1), now)).toBe(false)
    // A device whose own clock was reset has seen later stamps.
    expect(isFarAhead(stamp(now), stamp(now - hour), 0)).toBe(false)
  })
})

describe('a version', () => {
  test('keeps its stamp when the same content is put again, so that reading a folder again does not undo an edit elsewhere', () => {
    const [phone, laptop] = [new Device('phone', merge), new Device('laptop', merge)]
    phone.put('a', 'first', now)
    laptop.pull(phone.state)
    laptop.put('a', 'edited', now + 1)
    phone.put('a', 'first', now + hour)
    expect(phone.state.records.get('a')?.version).toMatchObject({ stamp: stamp(now, 'phone'), confirmedAt: now + hour })
    phone.pull(laptop.state)
    expect(bodyOf(phone, 'a')).toBe('edited')
  })

  test('wins if its device knew the other, whatever the clocks say', () => {
    const [ahead, behind] = [new Device('ahead', merge), new Device('behind', merge)]
    ahead.put('a', 'first', now + 90 * day)
    behind.pull(ahead.state)
    behind.put('a', 'second', now)
    ahead.pull(behind.state)
    expect(bodyOf(ahead, 'a')).toBe('second')
  })

  test('takes no stamp for content that is stored already', () => {
    const content = contentFor({ title: null, body: 'x', tags: [] })
    const fields = { rest: stamp(now), named: new Map() }
    const version = { stamp: stamp(now), content, fields, confirmedAt: now, after: [] }
    const refuse = () => {
      throw new Error('a stamp was taken')
    }
    const again = putVersion({ life: 3, version }, { content, nowMs: now - 1 }, refuse)
    expect(again).toEqual({ life: 3, version })
    expect(mergeVersions(version, { ...version, confirmedAt: now + 1 }).confirmedAt).toBe(now + 1)
  })
})

describe('a forgotten record', () => {
  test('leaves a tombstone that contains neither id nor text', () => {
    const device = new Device('a', merge)
    device.put('patient 17', 'private', now)
    device.forget('patient 17', now)
    expect(bytesOf(device.state)).not.toMatch(/patient|private/)
    expect([...device.state.tombstones.keys()]).toEqual([tombstoneMark('patient 17')])
    expect(tombstoneMark('patient 17')).toMatch(/^[0-9a-f]{32}$/)
  })

  test('stays forgotten when a device that did not know wrote it later; one that knew can write it again', () => {
    const [a, b] = [new Device('a', merge), new Device('b', merge)]
    a.put('x', 'first', now)
    b.pull(a.state)
    a.forget('x', now - hour)
    b.put('x', 'second', now + 90 * day)
    const { state, forgotten } = mergeStores(b.state, a.state)
    expect(state.records.has('x')).toBe(false)
    expect(forgotten).toEqual(['x'])
    b.pull(a.state)
    b.put('x', 'third', now)
    a.pull(b.state)
    expect(a.state.records.get('x')).toMatchObject({ life: 1, reports: [] })
    expect(bodyOf(a, 'x')).toBe('third')
    expect(a.state.tombstones.size).toBe(0)
  })
})

describe('conflicts', () => {
  const edited = (knew: boolean, texts: readonly [string, string] = ['mine', 'theirs']) => {
    const [a, b] = [new Device('a', merge), new Device('b', merge)]
    a.put('x', 'first', now)
    b.pull(a.state)
    a.put('x', texts[0], now + 1)
    if (knew) b.pull(a.state)
    b.put('x', 'draft', now + 2)
    b.put('x', texts[1], now + 3)
    return { a, b, merged: mergeStores(a.state, b.state) }
  }

  test('name the version that lost when neither device knew of the other', () => {
    const { a, b, merged } = edited(false)
    const { version } = a.state.records.get('x')!
    const { stamp: lost } = version
    const digest = digestOf(version)
    const kept = b.state.records.get('x')!.version.stamp
    expect(merged.conflicts).toEqual([{ id: 'x', kept, lost: { stamp: lost, digest } }])
    expect(mergeStores(b.state, a.state).conflicts).toEqual(merged.conflicts)
    // The second merge knows both.
    expect(mergeStores(merged.state, b.state).conflicts).toEqual([])
  })

  test('are not reported for a later edit of a known version, nor for equal texts', () => {
    expect(edited(true).merged.conflicts).toEqual([])
    expect(edited(false, ['same', 'same']).merged.conflicts).toEqual([])
  })
})

describe('links', () => {
  const lives = [0, 0] as const

  test('strengthened on two devices add up, and stop at 1', () => {
    const start = setWeight(newLink(lives), 0.5, stamp(1))
    const merged = mergeLinks(addWeight(start, 0.05, stamp(2, 'a')), addWeight(start, 0.1, stamp(2, 'b')))
    expect(weightOf(merged)).toBeCloseTo(0.65, 12)
    const full = Array.from({ length: 40 }, (_, i) => i).reduce(
      (link, i) => addWeight(link, 0.05, stamp(3 + i)),
      merged,
    )
    expect(weightOf(full)).toBe(1)
    expect(weightOf(setWeight(full, weightOf(full) * 0.5, stamp(99)))).toBe(0.5)
  })

  test('that were weakened or removed do not rise by a merge with an older state', () => {
    const old = addWeight(setWeight(newLink(lives), 0.8, stamp(1)), 0.1, stamp(2, 'b'))
    const weak = setWeight(old, 0.45, stamp(3))
    expect(mergeLinks(weak, old)).toBe(weak)
    expect(mergeLinks(old, weak)).toBe(weak)
    expect(weightOf(mergeLinks(setWeight(old, 0, stamp(4)), weak))).toBe(0)
    expect(weightOf(setWeight(old, tuning.minLinkWeight / 2, stamp(5)))).toBe(0)
  })

  test('end with the life of either record', () => {
    const [a, b] = [new Device('a', merge), new Device('b', merge)]
    for (const id of ['x', 'y']) a.put(id, id, now)
    a.link('y', 'x', 'set', now)
    b.pull(a.state)
    b.forget('y', now)
    b.put('y', 'again', now)
    a.link('x', 'y', 'strengthen', now + day)
    a.pull(b.state)
    expect(a.state.links.size).toBe(0)
    expect(canonicalJson([...a.state.records.keys()].sort())).toBe('["x","y"]')
  })
})
