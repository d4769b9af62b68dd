/**
 * Escapes the text of a record inside a formatted context [A1]: none of its characters can open or close a tag, begin a line
 * of the format, or stay hidden. References such as `&lt;` and `&#x202E;` replace them, so nothing is lost. This protects the
 * structure; it does not stop instructions in the text.
 */
import { emojiBases } from './emoji-bases.ts'

/**
 * The text with `<`, `>`, `&`, hidden characters, carriage returns and lone surrogates as character references.
 * Line feeds and tabs stay.
 */
export function escapeText(text: string): string {
  return text.replace(escaped, (character) => named.get(character) ?? reference(character))
}

/** The text on one line: like `escapeText`, with line feeds as references, too. */
export function escapeLine(text: string): string {
  return escapeText(text).replaceAll('\n', reference('\n'))
}

/**
 * The text as one item of a list. Every line after the first begins with `  | `, so that no line looks like an item, a heading
 * or a rule. A mark at its start gets a backslash. White space at its end survives trimming.
 */
export function escapeItem(text: string): string {
  return escapeText(text)
    .replace(/\s$/, reference)
    .replace(/^([^\S\n]*)(?=[-*+_#~`[\\])/, '$1\\')
    .replaceAll('\n', '\n  | ')
}

/** JSON of the same meaning that opens no tag and hides no character. */
export function escapeJson(json: string): string {
  return json.replace(hiddenOrOpening, codeUnits)
}

function codeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** The text for a reader: hidden characters, carriage returns and lone surrogates as references; all others as they are [X2]. */
export function showHidden(text: string): string {
  return text.replace(unreadable, reference)
}

/** Like `showHidden`, on one line. */
export function showLine(text: string): string {
  return showHidden(text).replaceAll('\n', reference('\n'))
}

/** The value with every text in it, names of members too, as `showHidden` gives it. */
export function showAll<T>(value: T): T {
  if (typeof value === 'string') return showHidden(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(showAll) as T
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [showHidden(name), showAll(member)])) as T
}

/** The text that `showHidden` or `showLine` showed. */
export function readShown(text: string): string {
  return text.replace(/&#x([0-9A-F]{1,6});/g, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16)
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : ''
    return showLine(character) === whole ? character : whole
  })
}

/** JSON of the same meaning that hides no character. */
export function showJson(json: string): string {
  return json.replace(hidden, codeUnits)
}

/** Number of characters that `escapeText` makes visible: controls, bidi controls, zero-width and tag characters. */
export function countHidden(text: string): number {
  return text.match(hidden)?.length ?? 0
}

function reference(character: string): string {
  return `&#x${character.codePointAt(0)!.toString(16).toUpperCase()};`
}

const named: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
])

/** First and last code points of characters that are invisible, or that change the order of visible ones. */
const hiddenRanges: readonly (readonly [number, number])[] = [
  // Controls without tab, line feed and carriage return, which normal texts contain.
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  // Soft hyphen, grapheme joiner, Arabic letter mark, Hangul fillers, Khmer and Mongolian invisibles.
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  // Zero-width characters, direction marks, line and paragraph separators, bidi controls.
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  // Variation selectors except the two of emoji; byte order mark, filler, interlinear marks.
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  // Blank braille; private use, which only its maker can read; noncharacters.
  [0x2800, 0x2800],
  [0xe000, 0xf8ff],
  [0xfdd0, 0xfdef],
  [0xfffe, 0xffff],
  // Controls of hieroglyphs, shorthand and music; the null notehead; tag characters and the other variation selectors.
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d159, 0x1d159],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
  [0xf0000, 0x10ffff],
]

const classOf = (ranges: readonly (readonly [number, number])[]) =>
  ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')
const hiddenClass = classOf(hiddenRanges)

/**
 * A text or emoji selector is part of the emoji or keycap before it. Anywhere else it is hidden: after an arrow or a letter
 * it changes nothing visible.
 */
const strayEmojiSelector = `(?<![${classOf(emojiBases)}])(?<![#*0-9](?=\\ufe0f\\u20e3))[\\ufe0e\\ufe0f]`

// Built from the table, because a literal would contain control characters.
const hidden = new RegExp(`[${hiddenClass}]|${strayEmojiSelector}`, 'gu')
const hiddenOrOpening = new RegExp(`[<${hiddenClass}]|${strayEmojiSelector}`, 'gu')
const unreadable = new RegExp(`[\\r\\ud800-\\udfff${hiddenClass}]|${strayEmojiSelector}`, 'gu')
const escaped = new RegExp(`[<>&\\r\\ud800-\\udfff${hiddenClass}]|${strayEmojiSelector}`, 'gu')
