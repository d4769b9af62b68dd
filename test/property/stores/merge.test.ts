/**
 * Tests the laws of merging R1 to R6 and R13 of docs/laws.md for the functions of core/merge, over random lives of 4 to 8 devices whose
 * clocks jump; and that a wrong rule is found by each test. An oracle computes from causal histories what each device must show.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeStores } from '../../../src/core/merge/merge-stores.ts'
import type { Report } from '../../../src/core/merge/report.ts'
import { compareStamps } from '../../../src/core/merge/stamp.ts'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createRandom } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import {
  answersOf,
  anyLife,
  bytesOf,
  exchangeAll,
  type Life,
  type Lived,
  live,
  type Merge,
  merge,
  type Rules,
  type State,
  shownBy,
} from '../../support/merge-lives.ts'
import type { Event } from '../../support/oracles/merge-history.ts'

const numRuns = sized(120)
const ids = ['r0', 'r1', 'r2', 'r3']

/** Whether a law holds in a life. `using`: the rule by which its devices merge. */
type Law = (life: Life, rules: Rules & { readonly using: Merge }) => boolean

const isCommutative: Law = (life, rules) => {
  const [a, b, c] = statesOf(life, rules)
  const same = (x: State, y: State) => bytesOf(rules.using(x, y)) === bytesOf(rules.using(y, x))
  return same(a, b) && same(b, c) && same(a, c)
}

const isAssociative: Law = (life, rules) => {
  const [a, b, c, d] = statesOf(life, rules)
  const { using } = rules
  const [left, right] = [using(using(a, b), c), using(a, using(b, c))]
  return bytesOf(left) === bytesOf(right) && bytesOf(using(left, d)) === bytesOf(using(using(a, b), using(c, d)))
}

const isIdempotent: Law = (life, rules) => {
  const [a, b] = statesOf(life, rules)
  const once = rules.using(a, b)
  return bytesOf(rules.using(a, a)) === bytesOf(a) && bytesOf(rules.using(once, b)) === bytesOf(once)
}

const converges: Law = (life, rules) => {
  const lived = live(life, rules)
  exchangeAll(lived)
  const contents = lived.devices.map(({ state }) => bytesOf(state))
  exchangeAll(lived)
  return new Set([...contents, ...lived.devices.map(({ state }) => bytesOf(state))]).size === 1
}

/**
 * A record is shown only in a life that began after every forget of it: neither a version that the forgetting device knew comes back,
 * nor one that another device wrote without knowledge of the forget.
 */
const forgetsForGood: Law = (life, rules) => {
  const lived = live(life, rules)
  exchangeAll(lived)
  const { events } = lived.history
  return lived.devices.every(({ state }) =>
    [...state.records].every(([id, { version }]) => {
      const { at, count, device } = version.stamp
      const isWriter = (event: Event) => event.at === at && event.count === count && event.device === device
      const put = events.find((event) => event.kind === 'put' && event.record === id && isWriter(event))
      const forgets = events.filter(({ kind, record }) => kind === 'forget' && record === id)
      return put !== undefined && forgets.every((forget) => put.life > forget.life && !forget.past.has(put))
    }),
  )
}

/** Equal content, merged in any order and read from another order of rows, shows the same. */
const answersEqually: Law = (life, rules) => {
  const lived = live(life, rules)
  const random = createRandom(life.steps.length)
  const states = lived.devices.map(({ state }) => state)
  const merged = [1, 2, 3].map(() => random.shuffled(states).reduce(rules.using))
  const reordered = { ...merged[0]!, records: new Map(random.shuffled([...merged[0]!.records])) }
  return (
    new Set(merged.map(bytesOf)).size === 1 &&
    new Set([...merged, reordered].map((state) => answersOf(state))).size === 1
  )
}

/** Devices show what the causal history says, before and after they have exchanged everything. */
const followsHistory: Law = (life, rules) => {
  const lived = live(life, rules)
  const before = agrees(lived)
  exchangeAll(lived)
  return before && agrees(lived)
}

/**
 * Of each field the last change is shown, and exactly those records are conflicts of which both devices changed the same field or tag
 * apart.
 */
const mergesFields: Law = (life, rules) => {
  const lived = live(life, rules)
  const { devices, history } = lived
  const findsConflicts = devices.every((a) =>
    devices.every((b) => {
      const found = mergeStores(a.state, b.state).conflicts.map(({ id }) => id)
      return found.join() === ids.filter((id) => history.isApart(a.name, b.name, id)).join()
    }),
  )
  exchangeAll(lived)
  return findsConflicts && agrees(lived)
}

function agrees({ devices, history }: Lived): boolean {
  return devices.every((device) =>
    ids.every((id) => {
      const shown = history.shown(device.name, id)
      const { put: _put, ...expected } = shown ?? { put: null }
      return canonicalJson(shown === null ? null : expected) === canonicalJson(shownBy(device, id))
    }),
  )
}

/** No report is lost or counted twice while devices shorten their lists. */
const countsAll: Law = (life, rules) => {
  const lived = live(life, { ...rules, mostReports: 2, receipts: false })
  exchangeAll(lived)
  return lived.devices.every((device) =>
    ids.every((id) => {
      const expected = lived.history.shown(device.name, id)?.learned
      const learned = shownBy(device, id)?.learned
      const counts = (of: typeof learned) => [of?.accessCount, of?.accessedAt, { ...of?.confidence, confidence: 0 }]
      return canonicalJson(counts(learned)) === canonicalJson(counts(expected))
    }),
  )
}

function statesOf(life: Life, rules: Rules): [State, State, State, State] {
  return live(life, rules).devices.map(({ state }) => state) as [State, State, State, State]
}

describe('merging', () => {
  test.each([
    ['[R1] merging is commutative', isCommutative, 101],
    ['[R2] merging is associative', isAssociative, 102],
    ['[R3] merging is idempotent', isIdempotent, 103],
    ['[R4] devices that exchanged all changes hold the same content, and stay quiet', converges, 104],
    ['[R5] what was forgotten does not come back', forgetsForGood, 105],
    ['[R6] equal content shows the same, in whatever order it was merged', answersEqually, 106],
    ['[R13] fields that one side changed are merged, and changes of the same field are conflicts', mergesFields, 111],
    ['devices show what the causal history says: texts, lives, learned state', followsHistory, 107],
    ['no report is lost or counted twice when lists are shortened', countsAll, 108],
  ] as const)('%s', (_name, law, seed) => {
    fc.assert(
      fc.property(anyLife, (life) => law(life, { using: merge })),
      { seed, numRuns },
    )
  })

  test.each([
    [
      'R1 to R3',
      (life: Life, rules: Rules & { using: Merge }) =>
        isCommutative(life, rules) && isAssociative(life, rules) && isIdempotent(life, rules),
    ],
    ['R4', converges],
    ['R5', forgetsForGood],
    ['R6', answersEqually],
  ] as const)('%s holds while devices list only two reports of a record', (_name, law) => {
    fc.assert(
      fc.property(anyLife, (life) => law(life, { using: merge, mostReports: 2 })),
      { seed: 109, numRuns: Math.ceil(numRuns / 2) },
    )
  })
})

describe('control: a wrong rule breaks', () => {
  test.each([
    ['R1: on a difference mine stays', isCommutative, preferMine],
    ['R2: the version with more reports wins', isAssociative, preferReported],
    ['R3: added weights are added again', isIdempotent, addAgain],
    ['R4: on a difference mine stays', converges, preferMine],
    ['R5: the greatest stamp wins, whether a put or a forget', forgetsForGood, withoutLives],
    ['R6: reports count in the order of their arrival', answersEqually, inOrderOfArrival],
    ['R13: the later version wins whole', mergesFields, laterVersion],
    ['R13: a tag that either side has stays', mergesFields, uniteTags],
    ['the history: the newer learned state replaces the other', followsHistory, newerLearnedState],
    ['the counts: the newer learned state replaces the other', countsAll, newerLearnedState],
  ] as const)('%s', (_name, law, using) => {
    const found = fc.check(
      fc.property(anyLife, (life) => law(life, { using })),
      { seed: 110, numRuns: 200, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
  })
})

/** Replaces each record that both states have by what `choose` makes of them. */
function overridden(choose: (mine: Live, theirs: Live, merged: Live) => Live): Merge {
  return (mine, theirs) => {
    const merged = merge(mine, theirs)
    const records = new Map(merged.records)
    for (const [id, record] of merged.records) {
      const [own, other] = [mine.records.get(id), theirs.records.get(id)]
      if (own !== undefined && other !== undefined) records.set(id, choose(own, other, record))
    }
    return { ...merged, records }
  }
}

type Live = State['records'] extends ReadonlyMap<string, infer V> ? V : never

function preferMine(a: State, b: State): State {
  return overridden((mine) => mine)(a, b)
}

function preferReported(a: State, b: State): State {
  return overridden((mine, theirs, merged) => {
    const count = ({ reports }: Live) => reports.reduce((sum, { listed }) => sum + listed.length, 0)
    const more = count(mine) - count(theirs)
    if (mine.life !== theirs.life || more === 0) return merged
    return { ...merged, version: more > 0 ? mine.version : theirs.version }
  })(a, b)
}

function laterVersion(a: State, b: State): State {
  return overridden((mine, theirs, merged) => {
    if (mine.life !== theirs.life) return merged
    const isMine = compareStamps(mine.version.stamp, theirs.version.stamp) >= 0
    return { ...merged, version: isMine ? mine.version : theirs.version }
  })(a, b)
}

function uniteTags(a: State, b: State): State {
  return overridden((mine, theirs, merged) => {
    if (mine.life !== theirs.life) return merged
    const { version } = merged
    const tags = [mine, theirs, merged].flatMap((record) => record.version.content.lists['tags'] ?? [])
    const united = [...new Map(tags.map((element) => [element.name, element])).values()]
    const lists = { ...version.content.lists, tags: united }
    return { ...merged, version: { ...version, content: { ...version.content, lists } } }
  })(a, b)
}

function addAgain(a: State, b: State): State {
  const merged = merge(a, b)
  const links = new Map(
    [...merged.links].map(([name, link]) => {
      if (!a.links.has(name) || !b.links.has(name)) return [name, link]
      return [name, { ...link, added: link.added.map((entry) => ({ ...entry, sum: entry.sum * 2 })) }]
    }),
  )
  return { ...merged, links }
}

/** Forgets and puts compared by their stamps alone. */
function withoutLives(a: State, b: State): State {
  const merged = merge(a, b)
  const records = new Map(merged.records)
  const tombstones = new Map(merged.tombstones)
  for (const [id, record] of [...a.records, ...b.records]) {
    const tombstone = merged.tombstones.get(tombstoneMark(id))
    if (tombstone === undefined || tombstone.stamp.at >= record.version.stamp.at) continue
    records.set(id, { ...record, life: tombstone.life + 1 })
    tombstones.delete(tombstoneMark(id))
  }
  return { ...merged, records, tombstones }
}

/** The folding cannot repair an order that a state contains: every report gets the place at which it came. */
function inOrderOfArrival(a: State, b: State): State {
  return overridden((mine, theirs, merged) => {
    if (mine.life !== theirs.life) return merged
    const listed = new Map<string, Report>()
    for (const { listed: own } of [...mine.reports, ...theirs.reports])
      for (const report of own) {
        const name = canonicalJson(report.effect)
        if (!listed.has(name))
          listed.set(name, { ...report, stamp: { ...report.stamp, at: listed.size, count: 0, device: 'any' } })
      }
    return { ...merged, reports: [{ device: 'any', summary: null, listed: [...listed.values()] }] }
  })(a, b)
}

function newerLearnedState(a: State, b: State): State {
  return overridden((mine, theirs, merged) => {
    if (mine.life !== theirs.life) return merged
    const last = ({ reports }: Live) =>
      Math.max(0, ...reports.flatMap(({ listed }) => listed.map(({ stamp }) => stamp.at)))
    return { ...merged, reports: last(mine) >= last(theirs) ? mine.reports : theirs.reports }
  })(a, b)
}
