/**
 * Reads the signs in the text of a query: phrases between double quotes, and words with a minus before them. A minus counts only after
 * white space or at the start, and before a letter or a quoted phrase, and not if the word is the option of a command (`flags.ts`). Uses no
 * table of characters, because pages load it, too.
 */
import { isFlag, mostBefore } from './flags.ts'
import { quotedSpans, type Span } from './quoted-spans.ts'

export interface Sign {
  readonly kind: 'phrase' | 'without'
  /** As it is written, without minus and quotes. */
  readonly text: string
  /** UTF-16 offsets, minus and quotes included. */
  readonly at: Span
}

/** The signs of a text, in order. Takes linear time. */
export function readSigns(text: string): readonly Sign[] {
  const signs: Sign[] = []
  let from = 0
  for (const [open, close] of quotedSpans(text)) {
    addWords(signs, text, from, open - 1)
    const quoted = text.slice(open, close).trim()
    const isHeldBack = text[open - 2] === '-' && (open === 2 || /\s/.test(text[open - 3]!))
    if (letterOrNumber.test(quoted))
      signs.push({
        kind: isHeldBack ? 'without' : 'phrase',
        text: quoted,
        at: [open - (isHeldBack ? 2 : 1), close + 1],
      })
    from = close + 1
  }
  addWords(signs, text, from, text.length)
  return signs
}

/** The text with line breaks instead of the words that no answer may contain. Offsets stay the same. */
export function withoutHeldBack(text: string, signs: readonly Sign[] = readSigns(text)): string {
  let kept = ''
  let from = 0
  for (const { kind, at } of signs) {
    if (kind !== 'without') continue
    kept += text.slice(from, at[0]) + '\n'.repeat(at[1] - at[0])
    from = at[1]
  }
  return kept + text.slice(from)
}

/** Adds the words with a minus in a part of the text without quoted phrases. Each ends at white space or at a quote. */
function addWords(signs: Sign[], text: string, from: number, to: number): void {
  for (const { index, 1: before, 2: word } of text.slice(from, to).matchAll(/(^|\s)-(\p{L}[^\s"“”„«»]*)/gu)) {
    // The beginning of a later part follows a quote, not white space.
    if (before === '' && from > 0) continue
    const at = from + index + before!.length
    if (isFlag({ word: word!, before: text.slice(Math.max(0, at - mostBefore), at) })) continue
    signs.push({ kind: 'without', text: word!, at: [at, at + 1 + word!.length] })
  }
}

const letterOrNumber = /[\p{L}\p{N}]/u
