/**
 * Random stores for the oracles of policies: a walk from store to store, each a few records away from the last, over a
 * vocabulary so small that ties, substrings, copies and shared paths are frequent. Records are only added and removed:
 * none is replaced.
 */

import type { FileState } from '../../../src/core/evidence/freshness.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Random } from '../data/random.ts'
import type { CtxsiftQuery } from './ctxsift.ts'
import type { TokenpakQuery } from './tokenpak.ts'

export const dimensions = 8
export const dayMs = 86_400_000
export const walkNow = Date.UTC(2026, 4, 1)

export interface Step {
  readonly put: readonly (RecordInput & { readonly id: string })[]
  readonly forget: readonly string[]
}

/** The first step fills an empty store with 3..60 records; each later one brings or takes up to six. */
export function* randomWalk(random: Random, name: string, steps: number): Generator<Step, void> {
  const vectors = Array.from({ length: 6 }, () => random.vector(dimensions))
  const least = 3
  const most = 60
  let ids: string[] = []
  let counter = 0
  const bring = (count: number) =>
    Array.from({ length: count }, () => {
      const id = `${random.pick(['a', 'B', 'z', 'é', '😀', '\uffee'])}${name}.${counter++}`
      ids.push(id)
      return { ...randomRecord(random, vectors), id }
    })
  for (let step = 0; step < steps; step++) {
    if (step === 0) yield { put: bring(random.pick([least, least, 6, 12, 25, most])), forget: [] }
    else if (ids.length < least + 6 || (ids.length <= most - 6 && random.below(2) === 0)) {
      yield { put: bring(1 + random.below(6)), forget: [] }
    } else {
      const forget = random.shuffled(ids).slice(0, 1 + random.below(6))
      ids = ids.filter((id) => !forget.includes(id))
      yield { put: [], forget }
    }
  }
}

/** The states of the files of the vocabulary: some have none. */
export function randomFileStates(random: Random): FileState[] {
  return paths
    .filter(() => random.below(4) > 0)
    .map((path) => ({
      path,
      exists: random.below(5) > 0,
      sha256: random.pick(['h1', 'h2', null]),
      mtime: random.pick([null, walkNow - 400 * dayMs, walkNow - 20 * dayMs, walkNow]),
      git: random.pick([null, null, null, 'M', 'D']),
    }))
}

export function randomCtxsiftQuery(random: Random): CtxsiftQuery {
  const kind = random.below(6)
  return {
    ...(kind === 0 ? {} : { text: randomQuestion(random) }),
    ...(kind < 3 ? { vector: random.vector(dimensions) } : {}),
    ...(random.below(3) === 0 ? { files: random.shuffled(filters).slice(0, 1 + random.below(2)) } : {}),
    limit: random.pick([undefined, undefined, 1, 4, 1000]),
  }
}

export function randomTokenpakQuery(random: Random): TokenpakQuery {
  const count = random.below(5)
  return {
    text: count === 0 ? 'nowhere' : Array.from({ length: count }, () => random.pick(words)).join(' '),
    prefer: random.pick([
      undefined,
      { project: random.pick(projects) },
      { kind: random.pick(kinds) },
      { project: random.pick(projects), kind: random.pick(kinds) },
      { topic: 'nests', kind: random.pick(kinds) },
    ]),
    limit: random.pick([undefined, 3, 9, 1000]),
    now: walkNow,
  }
}

function randomRecord(random: Random, vectors: readonly Float32Array[]): RecordInput {
  const rarely = <T>(value: () => T): T | null => (random.below(3) === 0 ? value() : null)
  const updatedAt = walkNow - random.pick([-1, 0, 0.5, 1, 7, 29.5, 30, 31, 300]) * dayMs
  return {
    kind: random.pick(kinds),
    project: random.pick([...projects, null]),
    topic: random.pick(['nests', 'eggs', null]),
    title: rarely(() => randomText(random, 2)),
    summary: random.below(6) === 0 ? randomText(random, 2) : null,
    body: random.below(8) === 0 ? 'alpha' : randomText(random, 6),
    instruction: rarely(() => randomText(random, 3)),
    command: rarely(() => random.pick(['run tests', 'pytest -q tests/test_auth.py', 'latest -- run', 'ALPHA beta'])),
    tags: random.shuffled(['task', 'context', 'work', 'other']).slice(0, random.below(3)),
    files: random
      .shuffled(paths)
      .slice(0, random.below(4) === 0 ? 1 + random.below(3) : 0)
      .map((path) => ({
        path: random.below(4) === 0 ? path.replaceAll('/', '\\') : path,
        sha256: random.pick(['h1', null]),
        existed: random.below(6) > 0,
      })),
    terms: random.below(4) === 0 ? [random.pick(declaredTerms)] : [],
    reasons: random
      .shuffled(reasons)
      .slice(0, random.below(3) === 0 ? 1 + random.below(2) : 0)
      .map((code) => ({ code, weight: random.pick([1, 0.5, 0.25, random.next()]) })),
    risks: random.below(8) === 0 ? [{ flag: 'mandatory_context_missing' }] : [],
    status: random.below(6) === 0 ? random.pick(['superseded', 'deprecated'] as const) : 'active',
    expiresAt: random.below(10) === 0 ? walkNow - dayMs : null,
    importance: random.pick([1, 1, 0.5, 3]),
    createdAt: updatedAt - random.pick([0, 0, 1, 60]) * dayMs,
    updatedAt,
    ...(random.below(12) === 0
      ? {}
      : { vectors: random.below(2) === 0 ? random.pick(vectors).slice() : random.vector(dimensions) }),
  }
}

function randomText(random: Random, most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick([...words, ...words, ...named])).join(' ')
}

function randomQuestion(random: Random): string {
  const asked = [...words, ...words, ...named, 'today', 'latest.', '--', 'AUTH.py', 'cafe']
  const text = Array.from({ length: 1 + random.below(4) }, () => random.pick(asked)).join(random.pick([' ', ' ', ', ']))
  return random.pick([text, text, text.toUpperCase(), ` ${text}?`])
}

/** No stop words: their treatment by a policy is not part of TokenPak's formula. */
const words = 'alpha alphabet beta bet café run running runs auth token tokens tests latest left'.split(' ')
const paths = ['src/auth.py', 'src/auth/tokens.py', 'auth.py', 'lib/src/auth.py', 'tests/test_auth.py', 'docs/Auth.md']
/** The names that extraction finds in a text. */
const named = ['src/auth.py', 'auth.py', 'tests/test_auth.py', 'AuthError', 'tests/test_auth.py::test_login', 'token()']
const declaredTerms = [
  { term: 'alpha', kind: 'symbol' },
  { term: 'beta', kind: 'test' },
  { term: 'run', kind: 'package' },
  { term: 'Token', kind: 'symbol' },
]
const filters = ['auth.py', 'SRC\\auth', 'tokens', 'docs/auth.md', 'nowhere.txt']
const projects = ['jay', 'Jay', 'wren']
const kinds = ['note', 'decision', 'vault']
const reasons = ['current_task', 'acceptance_criteria', 'large_raw_context', 'stale_context', 'duplicate_context']
