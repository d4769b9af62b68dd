/**
 * Splits a long turn of a chat into chunks that are found and packed on their own: at blank lines if possible, else at line ends, else at
 * the ends of sentences, else between words. No text is lost or repeated, apart from the white space between chunks.
 */
import { chunkText } from '../text/chunk.ts'

/** Returns the chunks in order; none for a blank text. Words are counted as `chunkText` counts them. Linear in the text [G4]. */
export function splitTurn(text: string, maxWords: number): readonly string[] {
  const whole = text.trim()
  if (whole === '') return []
  return chunksOf(whole, maxWords, 0)
}

/**
 * From the best place for a cut to the worst. Each ends a part; a sign at the end stays with its sentence. A sentence ends at the last of
 * several signs, so that a long run of them is read once [G4].
 */
const ends = [/\n[^\S\n]*\n/g, /\n/g, /[.!?。！？](?![.!?。！？])["'”’)\]]*(?=\s)/g] as const

function chunksOf(text: string, maxWords: number, level: number): readonly string[] {
  if (wordsIn(text) <= maxWords) return [text]
  if (level === ends.length)
    return chunkText(text, { words: maxWords, stride: maxWords }).map(({ from, to }) => text.slice(from, to))
  const chunks: string[] = []
  let from = 0
  let to = 0
  let words = 0
  const close = () => {
    const chunk = text.slice(from, to).trim()
    if (chunk !== '') chunks.push(...chunksOf(chunk, maxWords, level + 1))
    from = to
    words = 0
  }
  for (const end of partEnds(text, level)) {
    const added = wordsIn(text.slice(to, end))
    if (words > 0 && words + added > maxWords) close()
    to = end
    words += added
  }
  close()
  return chunks
}

function partEnds(text: string, level: number): readonly number[] {
  return [...Array.from(text.matchAll(ends[level]!), (match) => match.index + match[0].length), text.length]
}

function wordsIn(text: string): number {
  return chunkText(text, { words: 1, stride: 1 }).length
}
