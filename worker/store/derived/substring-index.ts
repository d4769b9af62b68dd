/**
 * Finds the records that contain a query, or terms of it, anywhere inside a text or path. Exact at any frequency, and fast, because
 * a text is stored as the numbers of its tokens (src/core/text/tokenise/path-tokens.ts) and each distinct token is searched once.
 * Built from the store's texts, then updated after commits. Forgotten text is zeroed at once. FTS5's tokenizer `trigram` cannot replace it: it
 * finds no text of fewer than three characters, and does not fold `ß` to `ss`.
 */

import { placesOf } from '../../../src/core/collections/key-set.ts'
import { foldForRuns } from '../../../src/core/text/tokenise/path-tokens.ts'
import type { KeySet, SubstringHits } from '../port/store.ts'
import { pathStrengths } from './substrings/path-strengths.ts'
import { createSegmentLists, listCount, type SegmentListsView, pathList } from './substrings/segment-lists.ts'
import { createTextMatcher, type TextMatcher } from './substrings/text-matcher.ts'
import { splitText } from './substrings/text-segments.ts'
import { createVocabulary } from './substrings/vocabulary.ts'

export interface SubstringSearch {
  /** Any text; `search` folds and trims it. */
  readonly query: string
  /** Distinct tokens of the query, as `ctxsiftTerms` returns them; any number. */
  readonly terms: readonly string[]
  /** Searches only these records; null: all. */
  readonly scopeKeys: KeySet | null
}

export interface SubstringIndex {
  search(search: SubstringSearch): SubstringHits
  /** Updates after a commit. Added keys must be larger than all earlier ones; keys are never reused. */
  applied(added: readonly number[], removed: readonly number[]): void
  bytes(): number
  /** All text in memory, used or not, folded and unordered. Tests use it to prove that a text is gone. */
  allText(): string
}

/** Visits the texts of records by ascending key: of all records (null) or of these keys. */
export type EachText = (keys: readonly number[] | null, visit: VisitTexts) => void
export type VisitTexts = (key: number, texts: SearchedTexts) => void

/** The searched texts of a record; null if it has none. */
export interface SearchedTexts {
  readonly instruction: string | null
  readonly body: string | null
  readonly command: string | null
  readonly paths: readonly string[]
}

export function createSubstringIndex(eachText: EachText): SubstringIndex {
  const runs = createVocabulary()
  const paths = createVocabulary()
  const lists = createSegmentLists()

  const add = (keys: readonly number[] | null) =>
    eachText(keys, (key, texts) => {
      lists.start(key)
      for (const text of [texts.instruction, texts.body, texts.command]) {
        if (text !== null) splitText(runs, foldForRuns(text), lists.push)
        lists.endList()
      }
      for (const path of texts.paths) {
        const folded = foldForRuns(path)
        lists.push(paths.use(folded, 0, folded.length))
      }
      lists.endList()
    })
  add(null)

  const release = (list: number, segment: number) =>
    list === pathList ? paths.release(segment) : runs.release(segment >>> 1)

  // Compacts when more is unused than used, so that a number is moved a bounded number of times on average.
  const compact = () => {
    if (![lists, runs, paths].some((part) => part.counts().waste > part.counts().used + leastWaste)) return
    const newRuns = runs.compact()
    const newPaths = paths.compact()
    lists.compact((list, segment) =>
      list === pathList ? newPaths[segment]! : (newRuns[segment >>> 1]! << 1) | (segment & 1),
    )
  }

  return {
    search({ query, terms, scopeKeys }) {
      const folded = foldForRuns(query).trim()
      // A term that equals the query counts only as the query, as in the program that this policy reproduces.
      const others = terms.filter((term) => term !== folded)
      return hitsOf(
        lists.view(),
        scopeKeys,
        createTextMatcher(runs, folded, others),
        pathStrengths(paths, folded, others),
      )
    },
    applied(added, removed) {
      for (const key of removed) lists.remove(key, release)
      if (added.length > 0) add([...added].sort((a, b) => a - b))
      compact()
    },
    bytes: () => runs.bytes() + paths.bytes() + lists.bytes(),
    allText: () => runs.allText() + paths.allText(),
  }
}

/** Units or numbers that may stay unused in a small store. */
const leastWaste = 16 * 1024

function hitsOf(
  view: SegmentListsView,
  scopeKeys: KeySet | null,
  strengthOf: TextMatcher,
  strengthOfPath: Float64Array,
): SubstringHits {
  const { alive, segments, bounds } = view
  const places = scopeKeys === null ? null : placesIn(view, scopeKeys)
  const count = places?.length ?? view.count
  const keys = new Uint32Array(count)
  const instruction = new Float64Array(count)
  const body = new Float64Array(count)
  const command = new Float64Array(count)
  const paths = new Float64Array(count)
  let hits = 0
  for (let i = 0; i < count; i++) {
    const record = places === null ? i : places[i]!
    if (alive[record] === 0) continue
    const key = view.keys[record]!
    const bound = record * listCount
    const [first, second] = [bounds[bound + 1]!, bounds[bound + 2]!]
    const last = bounds[bound + 3]!
    instruction[hits] = strengthOf(segments, bounds[bound]!, first)
    body[hits] = strengthOf(segments, first, second)
    command[hits] = strengthOf(segments, second, last)
    paths[hits] = strongestPath(segments, last, bounds[bound + 4]!, strengthOfPath)
    keys[hits] = key
    if (instruction[hits]! + body[hits]! + command[hits]! + paths[hits]! > 0) hits++
  }
  return {
    keys: keys.subarray(0, hits),
    instruction: instruction.subarray(0, hits),
    body: body.subarray(0, hits),
    command: command.subarray(0, hits),
    paths: paths.subarray(0, hits),
  }
}

/** The places of the scope.s keys in the lists. The cost depends on the size of the scope, not of the store. */
function placesIn({ keys, count }: SegmentListsView, scopeKeys: KeySet): Uint32Array {
  const places = new Uint32Array(count)
  return places.subarray(0, placesOf(keys.subarray(0, count), scopeKeys, places))
}

/** A record counts with its strongest path. */
function strongestPath(segments: Int32Array, from: number, to: number, strengthOfPath: Float64Array): number {
  let strongest = 0
  for (let at = from; at < to; at++) strongest = Math.max(strongest, strengthOfPath[segments[at]!]!)
  return strongest
}
