/** Cuts words into pieces of the joint vocabulary: the English table's plain pieces, and all pieces of the other languages. */
import { isAscii, type WordPieces } from './static-model.ts'
import { type Kind, kinds } from './fold-text.ts'

/** Code units of the longest piece. */
const longest = 24

/** English pieces with lower row numbers are special tokens and signs. */
const firstPlainRow = 104

/** Of two equal pieces, that of the other languages wins. Its row is `english.length` plus its line. */
export function joinWordPieces(english: readonly string[], others: readonly string[]): WordPieces {
  const starts = new Map<string, number>()
  const continuations = new Map<string, number>()
  const add = (piece: string, row: number) => {
    if (piece.length > 2 && piece.startsWith('##')) continuations.set(piece.slice(2), row)
    else starts.set(piece, row)
  }
  for (const [row, piece] of english.entries())
    if (row >= firstPlainRow && isAscii(piece) && !/^\[.*\]$/.test(piece)) add(piece, row)
  for (const [line, piece] of others.entries()) add(piece, english.length + line)
  return { starts, continuations, longest }
}

/** Returns the rows of a part. Characters without a piece are skipped. */
export function cutPart(part: string, kind: Kind, pieces: WordPieces): readonly number[] {
  return kind === kinds.han ? signsAndPairs(part, pieces) : longestMatches(part, kind, pieces)
}

function signsAndPairs(part: string, { starts }: WordPieces): readonly number[] {
  const rows: number[] = []
  for (let at = 0; at < part.length; at++) {
    const sign = starts.get(part.charAt(at))
    if (sign !== undefined) rows.push(sign)
    const pair = at + 1 < part.length ? starts.get(part.slice(at, at + 2)) : undefined
    if (pair !== undefined) rows.push(pair)
  }
  return rows
}

function longestMatches(part: string, kind: Kind, { starts, continuations }: WordPieces): readonly number[] {
  const rows: number[] = []
  for (let at = 0; at < part.length; ) {
    const candidates = at > 0 && kind === kinds.word ? continuations : starts
    let end = Math.min(part.length, at + longest)
    let row: number | undefined
    for (; end > at; end--) {
      row = candidates.get(part.slice(at, end))
      if (row !== undefined) break
    }
    if (row === undefined) at += part.codePointAt(at)! > 0xffff ? 2 : 1
    else {
      rows.push(row)
      at = end
    }
  }
  return rows
}
