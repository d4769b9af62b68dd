/** Reads a text with a JSON value on each line. Empty lines count, but hold nothing. */
import { linesOf } from './lines.ts'

export interface JsonLine {
  /** `line 7`. */
  readonly place: string
  readonly value: unknown
  /** Why it cannot be read; null if it can. */
  readonly problem: string | null
}

export async function* jsonLinesOf(texts: AsyncIterable<string>): AsyncIterable<JsonLine> {
  let number = 0
  for await (const line of linesOf(texts)) {
    number++
    if (line.trim() === '') continue
    yield { place: `line ${number}`, ...parsed(line.replace(/^\uFEFF/, '')) }
  }
}

function parsed(line: string): Pick<JsonLine, 'value' | 'problem'> {
  try {
    return { value: JSON.parse(line), problem: null }
  } catch (error) {
    return { value: undefined, problem: error instanceof Error ? error.message : 'must be JSON' }
  }
}
