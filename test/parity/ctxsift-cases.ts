/** Published numbers of CtxSift: records, queries, and the scores that they must have. */
import type { RecordInput } from '../../src/core/model/record.ts'
import type { CtxsiftQuery } from '../support/oracles/ctxsift.ts'
import { dimensions } from '../support/oracles/random-store.ts'

export const now = Date.UTC(2026, 4, 1)
const minuteMs = 60_000

interface Case {
  readonly name: string
  readonly records: readonly RecordInput[]
  readonly query: CtxsiftQuery
  /** Id → score of the hits, in order. */
  readonly hits: readonly (readonly [string, number])[]
  /** Id → score of some records that a threshold or the limit left out. */
  readonly left?: readonly (readonly [string, number])[]
  /** Fields of the first hit. */
  readonly matched?: readonly string[]
}
const kept = [{ path: 'kept.txt' }]

const wordyAndNewer = [
  record('wordy', { instruction: 'alpha alpha alpha', createdAt: now - 90 * minuteMs }),
  ...Array.from({ length: 3 }, (_, i) =>
    record(`n${i}`, { body: 'alpha beta gamma delta', createdAt: now - (60 - i) * minuteMs }),
  ),
]

export const cases: readonly Case[] = [
  {
    name: 'fresh, found by its vector alone, rank 1: 16.67 + 60 + 20 + 90',
    records: [record('a', { body: 'beta', files: kept, vectors: vectorAt(1) })],
    query: { vector: vectorAt(1) },
    hits: [['a', 187]],
    matched: ['vector'],
  },
  {
    name: 'fresh, found by its vector alone, rank 18: 12.5 + 60 + 20 + 90 is a half, and goes to the even',
    records: Array.from({ length: 18 }, (_, i) =>
      record(`v${i}`, { body: 'beta', files: kept, vectors: vectorAt(1 - i / 100), createdAt: now - i * minuteMs }),
    ),
    query: { vector: vectorAt(1), limit: 1000 },
    hits: [187, 186, 186, 186, 185, 185, 185, 185, 184, 184, 184, 184, 183, 183, 183, 183, 183, 182].map(
      (score, i) => [`v${i}`, score] as const,
    ),
  },
  {
    name: 'fresh, two text fields, rank 1, no vector: 19.61 + 60 + 40 + 90',
    records: [record('a', { instruction: 'alpha', files: kept })],
    query: { text: 'alpha' },
    hits: [['a', 210]],
    matched: ['fts', 'instruction'],
  },
  {
    name: 'unverifiable, two fields: 19.61 − 10 + 40 + 90',
    records: [record('a', { instruction: 'alpha' })],
    query: { text: 'alpha' },
    hits: [['a', 140]],
    matched: ['fts', 'instruction'],
  },
  {
    name: 'changed, three fields: 19.61 − 70 + 60 + 90, weak',
    records: [record('a', { instruction: 'alpha', body: 'alpha', files: [{ path: 'changed.txt' }] })],
    query: { text: 'alpha' },
    hits: [['a', 100]],
    matched: ['fts', 'instruction', 'body'],
  },
  {
    name: 'deleted, one field: 19.61 − 120 + 20 + 90, too weak',
    records: [record('a', { title: 'alpha', files: [{ path: 'deleted.txt' }] })],
    query: { text: 'alpha' },
    hits: [],
    left: [['a', 10]],
  },
  {
    name: 'unknown adds nothing: 19.61 + 40 + 90',
    records: [record('a', { instruction: 'alpha', files: [{ path: 'never-seen.txt' }] })],
    query: { text: 'alpha' },
    hits: [['a', 150]],
  },
  {
    name: 'words and vector, both rank 1: 19.61 + 16.67 + 60 + 60 + 90',
    records: [record('a', { instruction: 'alpha', files: kept, vectors: vectorAt(1) })],
    query: { text: 'alpha', vector: vectorAt(1) },
    hits: [['a', 246]],
    matched: ['fts', 'instruction', 'vector'],
  },
  {
    name: 'seven fields count as five, and are named in order; exact file, symbol, test: 36.27 + 60 + 100 + 90 + 80 + 70 + 70',
    records: [
      record('a', {
        instruction: 'kept.txt',
        body: 'kept.txt',
        command: 'kept.txt',
        files: kept,
        terms: [
          { term: 'kept.txt', kind: 'symbol' },
          { term: 'Kept.txt', kind: 'test' },
        ],
        vectors: vectorAt(1),
      }),
    ],
    query: { text: 'kept.txt', vector: vectorAt(1) },
    hits: [['a', 506]],
    matched: ['fts', 'instruction', 'body', 'command', 'paths', 'terms', 'vector'],
  },
  {
    name: 'an exact file by the end of its path, named by one term: 19.61 + 40 + 90 + 80',
    records: [record('a', { body: 'beta', files: [{ path: 'src\\deep\\Name.txt' }] })],
    query: { text: 'gamma name.TXT' },
    hits: [['a', 230]],
    matched: ['fts', 'paths'],
  },
  {
    name: 'a term inside a path is a field, no exact file: 19.61 + 20 + 90',
    records: [record('a', { body: 'beta', files: [{ path: 'src/names.txt' }] })],
    query: { text: 'gamma ame' },
    hits: [['a', 130]],
    matched: ['paths'],
  },
  {
    name: 'a term of another kind is a field, no exact hit: 19.61 − 10 + 40 + 90',
    records: [record('a', { body: 'beta', terms: [{ term: 'gamma', kind: 'package' }] })],
    query: { text: 'gamma' },
    hits: [['a', 140]],
    matched: ['fts', 'terms'],
  },
  {
    name: 'part of a word is found in a text, not by fts, and 120 is strong: 19.61 − 10 + 20 + 90',
    records: [record('a', { body: 'alphabet' })],
    query: { text: 'alpha' },
    hits: [['a', 120]],
    matched: ['body'],
  },
  {
    name: '120 is strong, so that more than one is answered: behind 30 nearer ones of a deleted file, 10.49 + 20 + 90',
    records: [
      ...Array.from({ length: 30 }, (_, i) =>
        record(`d${i}`, { body: 'beta', files: [{ path: 'deleted.txt' }], vectors: vectorAt(0.99 - i / 1000) }),
      ),
      ...['a', 'b', 'c'].map((id, i) =>
        record(id, { body: 'beta', files: [{ path: 'never-seen.txt' }], vectors: vectorAt(0.9 - i / 100) }),
      ),
    ],
    query: { vector: vectorAt(1) },
    hits: [
      ['c', 120],
      ['b', 120],
      ['a', 120],
    ],
  },
  {
    name: 'control: 119 is weak, and of weak ones one is answered: behind 39 nearer ones, 9.44 + 20 + 90',
    records: [
      ...Array.from({ length: 39 }, (_, i) =>
        record(`d${i}`, { body: 'beta', files: [{ path: 'deleted.txt' }], vectors: vectorAt(0.99 - i / 1000) }),
      ),
      ...['a', 'b', 'c'].map((id, i) =>
        record(id, { body: 'beta', files: [{ path: 'never-seen.txt' }], vectors: vectorAt(0.9 - i / 100) }),
      ),
    ],
    query: { vector: vectorAt(1) },
    hits: [['c', 119]],
    left: [
      ['b', 119],
      ['a', 119],
    ],
  },
  {
    name: 'a vector farther than .75 counts for a record that was found by words: 19.61 + 16.67 − 10 + 60 + 90',
    records: [
      record('a', { instruction: 'alpha', vectors: vectorAt(0.3) }),
      record('b', { body: 'beta', vectors: vectorAt(0.7) }),
    ],
    query: { text: 'alpha', vector: vectorAt(1) },
    hits: [['a', 176]],
    matched: ['fts', 'instruction', 'vector'],
  },
  {
    name: 'a vector just within .75 counts by itself, one just beyond does not: 16.67 − 10 + 20 + 90, weak',
    records: [
      record('in', { body: 'beta', vectors: vectorAt(0.72) }),
      record('out', { body: 'beta', vectors: vectorAt(0.718) }),
    ],
    query: { vector: vectorAt(1) },
    hits: [['in', 117]],
  },
  {
    name: 'of weak ones only the best: 117, 116',
    records: [
      record('a', { body: 'beta', vectors: vectorAt(0.9) }),
      record('b', { body: 'beta', vectors: vectorAt(0.8) }),
    ],
    query: { vector: vectorAt(1) },
    hits: [['a', 117]],
    left: [['b', 116]],
  },
  {
    name: 'a strong one leaves no room for weak ones',
    records: [
      record('a', { body: 'beta', files: kept, vectors: vectorAt(0.9) }),
      record('b', { body: 'beta', vectors: vectorAt(0.8) }),
    ],
    query: { vector: vectorAt(1) },
    hits: [['a', 187]],
    left: [['b', 116]],
  },
  {
    name: 'equal scores: the newer first, then the higher id; nothing is folded',
    records: [
      record('old', { instruction: 'alpha', createdAt: now - 9 * minuteMs }),
      record('y', { instruction: 'alpha', createdAt: now - 3 * minuteMs }),
      record('z', { instruction: 'alpha', createdAt: now - 3 * minuteMs }),
    ],
    query: { text: 'alpha' },
    hits: [
      ['z', 140],
      ['y', 139],
      ['old', 139],
    ],
  },
  {
    name: 'asked for the latest, the newest comes before the best words',
    records: wordyAndNewer,
    query: { text: 'latest alpha', limit: 2 },
    hits: [
      ['n2', 140],
      ['n1', 139],
    ],
  },
  {
    name: 'control: not asked for the latest, the best words come before the newest',
    records: wordyAndNewer,
    query: { text: 'late.st alpha', limit: 2 },
    hits: [
      ['wordy', 140],
      ['n2', 139],
    ],
  },
  {
    name: 'a file filter keeps those that have the file, with 90 for each, and renumbers nothing: 19.23 + 60 + 40 + 90',
    records: [
      record('a', { instruction: 'alpha', createdAt: now }),
      record('b', { instruction: 'alpha', files: kept, createdAt: now - minuteMs }),
    ],
    query: { text: 'alpha', files: ['KEPT'] },
    hits: [['b', 209]],
  },
  {
    name: 'a file filter that no match satisfies is left aside, and adds nothing: 19.61 − 10 + 40',
    records: [
      record('a', {
        instruction: 'alpha alpha',
        body: 'alpha',
        command: 'alpha',
        terms: [{ term: 'alpha', kind: 'symbol' }],
      }),
      record('b', { body: 'beta', files: kept }),
    ],
    query: { text: 'alpha', files: ['kept.txt'] },
    hits: [['a', 180]],
  },
  {
    name: '[Q4] a file filter acts before the cut at 50: rank 61, 9.01 + 60 + 40 + 90',
    records: [
      ...Array.from({ length: 60 }, (_, i) => record(`r${i}`, { instruction: 'alpha', createdAt: now - i * minuteMs })),
      record('deep', { instruction: 'alpha', files: kept, createdAt: now - 99 * minuteMs }),
    ],
    query: { text: 'alpha', files: ['kept.txt'] },
    hits: [['deep', 199]],
  },
]

function record(id: string, fields: RecordInput): RecordInput {
  const createdAt = fields.createdAt ?? now - minuteMs
  return { ...fields, id, createdAt, updatedAt: createdAt }
}

/** A unit vector with this cosine to the question. */
function vectorAt(cosine: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[0] = cosine
  vector[1] = Math.sqrt(1 - cosine * cosine)
  return vector
}
