/**
 * Finds signs that name something together with a word (`c++`, `.net`, `@anna`, `#1`, `50%`), options (`-rf`, and `rm -rf` as a whole), and
 * symbols (🎵, →, €). Each is one word next to those of `tokenise`. In the index, private characters stand for signs, because FTS5 cuts words
 * at signs.
 */
import { characterClass, characterClasses } from './letters.ts'
import { foldWord, type Token } from './tokenise.ts'

/** In order of their ends. Takes linear time. */
export function signWords(written: string): Token[] {
  const text = written.replaceAll('\u2212', '-')
  const found: Token[] = []
  let wordFrom = -1
  let before: Word | null = null
  let prefix: Prefix | null = null
  const endWord = (to: number) => {
    if (wordFrom === -1) return
    const word = { folded: foldWord(text.slice(wordFrom, to)), from: wordFrom, to }
    if (prefix !== null && word.folded !== '') addPrefixed(found, text, prefix, word, before)
    before = word
    wordFrom = -1
    prefix = null
  }
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!
    const width = codePoint > 0xffff ? 2 : 1
    if (isWordCharacter(codePoint)) {
      if (wordFrom === -1) wordFrom = at
      at += width
      continue
    }
    endWord(at)
    prefix = null
    if (isSymbol(codePoint)) {
      at = addSymbol(found, text, at)
      continue
    }
    if (codePoint < 0x80 && signs[codePoint] === 1) {
      const to = signRunEnd(text, at)
      if (before !== null && isBehind(text, before, at)) addSuffixed(found, text, before, at, to)
      else if (isPrefix(text, at, to)) prefix = { from: at, to }
      at = to
      continue
    }
    at += width
  }
  endWord(text.length)
  return found
}

interface Word {
  readonly folded: string
  readonly from: number
  readonly to: number
}

interface Prefix {
  readonly from: number
  readonly to: number
}

/** Whether the word of the index stands for signs. */
export function isSignWord(word: string): boolean {
  return /[\ue000-\ue07f\u{f0000}-\u{10ffff}]/u.test(word)
}

const signs = Uint8Array.from({ length: 0x80 }, (_, unit) => ('#@.$+%-'.includes(String.fromCharCode(unit)) ? 1 : 0))

/** Signs that name something before a word. `--force` has two. */
const prefixes: ReadonlySet<string> = new Set(['#', '@', '.', '$', '+', '%', '-', '--'])
/** Signs that name something behind a word. */
const suffixes: ReadonlySet<string> = new Set(['++', '+', '#', '%', '$'])

function isPrefix(text: string, from: number, to: number): boolean {
  if (!prefixes.has(text.slice(from, to)) || !isBoundary(text, from - 1)) return false
  const next = text.codePointAt(to) ?? 0
  if (!isWordCharacter(next)) return false
  // After a dot or a percent sign, numbers are parts of numbers.
  return !(text[from] === '.' || text[from] === '%') || !(next >= 48 && next <= 57)
}

function addPrefixed(found: Token[], text: string, { from, to }: Prefix, word: Word, before: Word | null): void {
  const sign = signOf(text.slice(from, to))
  found.push({ word: closed(sign + word.folded), from, to: word.to })
  // An option belongs to the command before it.
  if (
    text[from] !== '-' ||
    before === null ||
    before.to === from ||
    !/^[ \t]{1,3}$/.test(text.slice(before.to, Math.min(from, before.to + 4)))
  )
    return
  if (before.to + 3 >= from)
    found.push({ word: closed(`${before.folded}${gapSign}${sign}${word.folded}`), from: before.from, to: word.to })
}

/** Whether the sign follows the word; `20 %` has a gap. */
function isBehind(text: string, { folded, to }: Word, at: number): boolean {
  return to === at || (at - to === 1 && text[at] === '%' && /^\d+$/.test(folded) && /[ \u00a0\u202f]/.test(text[to]!))
}

function addSuffixed(found: Token[], text: string, word: Word, at: number, to: number): void {
  const written = text.slice(at, to)
  if (!suffixes.has(written) || word.folded === '') return
  // `C++11` and `c++-like`; but `a+b` is a sum.
  if (written !== '++' && !isBoundary(text, to)) return
  found.push({ word: word.folded + signOf(written), from: word.from, to })
}

/** Adds an emoji or another symbol: without variant and skin, and a sequence also as a whole. Returns its end. */
function addSymbol(found: Token[], text: string, from: number): number {
  const parts: Token[] = []
  let at = from
  for (let isFirst = true; at < text.length; isFirst = false) {
    const codePoint = text.codePointAt(at)!
    if (!isFirst && isRegional(codePoint) && parts.length === 1 && isRegional(text.codePointAt(from)!)) {
      // Two regional letters are one flag.
      found.push({ word: parts[0]!.word + symbolOf(codePoint), from, to: at + 2 })
      return at + 2
    }
    if (!isFirst && text[at - 1] !== joiner) break
    if (!isSymbol(codePoint)) break
    const start = at
    at += codePoint > 0xffff ? 2 : 1
    at = skipModifiers(text, at)
    parts.push({ word: symbolOf(codePoint), from: start, to: at })
    if (text[at] === joiner) at++
    else if (!isRegional(codePoint)) break
  }
  found.push(...parts)
  if (parts.length > 1) found.push({ word: parts.map(({ word }) => word).join(''), from, to: parts.at(-1)!.to })
  return at
}

const joiner = '\u200d'

/** Variation selectors and skin tones. */
function skipModifiers(text: string, from: number): number {
  let at = from
  for (;;) {
    const codePoint = text.codePointAt(at) ?? 0
    if (codePoint === 0xfe0e || codePoint === 0xfe0f) at++
    else if (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff) at += 2
    else return at
  }
}

function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff
}

/** Blocks of symbols that Unicode keeps for them; letters in these blocks are none. */
const symbolRanges: readonly (readonly [first: number, last: number])[] = [
  [0xa2, 0xa5],
  [0xa7, 0xa7],
  [0xb0, 0xb0],
  [0x203c, 0x203c],
  [0x2049, 0x2049],
  [0x20a0, 0x20cf],
  [0x2190, 0x23ff],
  [0x25a0, 0x27bf],
  [0x2900, 0x297f],
  [0x2b00, 0x2bff],
  [0x1f000, 0x1f3fa],
  [0x1f400, 0x1faff],
]

function isSymbol(codePoint: number): boolean {
  if (codePoint < 0xa2 || (codePoint > 0xb0 && codePoint < 0x203c)) return false
  return symbolRanges.some(([first, last]) => codePoint >= first && codePoint <= last) && !isWordCharacter(codePoint)
}

function isWordCharacter(codePoint: number): boolean {
  if (codePoint < 0x80)
    return (
      (codePoint >= 97 && codePoint <= 122) ||
      (codePoint >= 65 && codePoint <= 90) ||
      (codePoint >= 48 && codePoint <= 57)
    )
  const kind = characterClass(codePoint)
  return kind !== characterClasses.gap && kind !== characterClasses.letterGap && kind !== characterClasses.unspaced
}

/** Whether the character at this offset separates: white space, a bracket, a quote or a comma, but no letter and no further sign. */
function isBoundary(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true
  const codePoint = text.codePointAt(at)!
  if (codePoint < 0x80)
    return !isWordCharacter(codePoint) && (signs[codePoint] !== 1 || text[at] === '.' || text[at] === '-')
  return !isWordCharacter(codePoint)
}

function signRunEnd(text: string, from: number): number {
  let to = from + 1
  while (to < text.length && text[to] === text[from] && to - from < 4) to++
  return to
}

/** Between the parts of a whole. */
const gapSign = '\ue020'

function signOf(written: string): string {
  return Array.from(written, (sign) => String.fromCharCode(0xe000 + sign.charCodeAt(0))).join('')
}

function symbolOf(codePoint: number): string {
  return String.fromCodePoint(codePoint < 0x10000 ? 0xf0000 + codePoint : 0x100000 + (codePoint & 0xffff))
}

/** Ends in a private character, so that the stemmer leaves it as it is. */
function closed(word: string): string {
  return /[a-z]$/.test(word) ? `${word}\ue000` : word
}
