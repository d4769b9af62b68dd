/**
 * Extracts exact names from a text: files, stack frames, tests, symbols, packages, commands. Finds them by form, for matching by
 * equality, so doubtful forms are left out. Linear: every pattern is bounded and starts only at the start of a run.
 */

import { tuning } from '../../model/tuning.ts'
import { findCommands } from './extract-commands.ts'
import type { Found } from './extract-found.ts'
import { findFrames } from './extract-frames.ts'
import { findPackages } from './extract-packages.ts'
import { findPaths } from './extract-paths.ts'
import { findSymbols } from './extract-symbols.ts'
import { findTests } from './extract-tests.ts'

export type ExtractedKind = 'path' | 'frame' | 'test' | 'symbol' | 'package' | 'command'

export interface ExtractedTerm {
  readonly term: string
  readonly kind: ExtractedKind
}

/** At the same offset the earlier extractor comes first. */
const extractors: readonly { readonly kind: ExtractedKind; readonly find: (text: string) => Iterable<Found> }[] = [
  { kind: 'path', find: findPaths },
  { kind: 'frame', find: findFrames },
  { kind: 'test', find: findTests },
  { kind: 'symbol', find: findSymbols },
  { kind: 'package', find: findPackages },
  { kind: 'command', find: findCommands },
]

const { maxExtracted } = tuning

/** The terms of a text, distinct by term and kind, in order of first appearance, at most 256. Paths have no line numbers and
 *  use `/`; all other terms are as written. */
export function extractTerms(text: string): ExtractedTerm[] {
  return extractors
    .flatMap(({ kind, find }, order) => firstDistinct(find(text)).map(({ term, at }) => ({ term, kind, at, order })))
    .sort((a, b) => a.at - b.at || a.order - b.order)
    .slice(0, maxExtracted)
    .map(({ term, kind }) => ({ term, kind }))
}

/** The first `maxExtracted` distinct terms of one kind, by offset. Later ones cannot be among the first of all kinds. */
function firstDistinct(found: Iterable<Found>): Found[] {
  const places = new Map<string, number>()
  for (const { term, at } of found) {
    const earlier = places.get(term)
    if (earlier === undefined || at < earlier) places.set(term, at)
  }
  // Most texts name nothing of most kinds.
  if (places.size === 0) return []
  return Array.from(places, ([term, at]) => ({ term, at }))
    .sort((a, b) => a.at - b.at)
    .slice(0, maxExtracted)
}
