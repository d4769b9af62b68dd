/**
 * The text functions of the oracles. SQLite itself splits and stems words; ids are compared code point by code point;
 * and extraction is a table of all names in the tests' texts.
 */
import { createHash } from 'node:crypto'
import { openFts5Oracle } from '../fts5-oracle.ts'

const cut = remembered(await openFts5Oracle('unicode61 remove_diacritics 2'))
const cutAndStem = remembered(await openFts5Oracle('porter unicode61 remove_diacritics 2'))

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).flatMap(cut)
}

/** The words of a text as FTS5 holds them. */
export function stemsOf(text: string): string[] {
  return text.split(/\s+/).flatMap(cutAndStem)
}

/** A text as the index holds it: the options of commands follow it, alone and joined to the word before them. */
export function indexedText(text: string): string {
  const options = [...text.matchAll(/(?<=^|\s)([a-z]+) -([a-z])(?=\s|$)/g)].flatMap(([, word = '', option = '']) => [
    option,
    `${word}${option}`,
  ])
  return [text, ...new Set(options)].join(' ')
}

/** By code points; negative where the first one comes first. */
export function compareText(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

export function hashOf(texts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

export interface Named {
  readonly term: string
  readonly kind: string
}

/** The names in the tests' texts: each phrase is between spaces. */
const names: Readonly<Record<string, readonly Named[]>> = {
  'src/auth.py': [{ kind: 'path', term: 'src/auth.py' }],
  'auth.py': [{ kind: 'path', term: 'auth.py' }],
  'tests/test_auth.py': [{ kind: 'path', term: 'tests/test_auth.py' }],
  'tests/test_auth.py::test_login': [
    { kind: 'path', term: 'tests/test_auth.py' },
    { kind: 'test', term: 'tests/test_auth.py::test_login' },
    { kind: 'test', term: 'test_login' },
  ],
  'pytest -q tests/test_auth.py': [{ kind: 'command', term: 'pytest -q tests/test_auth.py' }],
  'token()': [{ kind: 'symbol', term: 'token' }],
  AuthError: [{ kind: 'symbol', term: 'AuthError' }],
  'kept.txt': [{ kind: 'path', term: 'kept.txt' }],
}

/**
 * In order of first appearance, each once. Throws for a token that looks like a name and is in no phrase of the table.
 */
export function namesIn(text: string): Named[] {
  const spaced = ` ${text.replace(/\s/g, ' ')} `
  const places = Object.entries(names).flatMap(([phrase, named]) => {
    const at = spaced.indexOf(` ${phrase} `)
    return at === -1 ? [] : [{ at, named }]
  })
  for (const piece of spaced.split(' '))
    if (/[a-z]\.\w|[/\\()_]|::|[a-z][A-Z]/.test(piece) && names[piece] === undefined)
      throw new Error(`the table of names lacks ${JSON.stringify(piece)}`)
  const found = places.sort((one, other) => one.at - other.at).flatMap(({ named }) => named)
  return found.filter(
    (named, i) => found.findIndex((other) => other.term === named.term && other.kind === named.kind) === i,
  )
}

function remembered(ask: (texts: readonly string[]) => string[][]): (piece: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (piece) => {
    const words = known.get(piece) ?? ask([piece])[0]!
    known.set(piece, words)
    return words
  }
}
