/**
 * Parses a complete FTS5 phrase expression and rejects everything else. So a reader can join phrases with OR and still assign the
 * results to the phrases.
 */
import { recallError } from '../../../src/core/model/errors.ts'

export interface Phrase {
  /** The text between the quotes, with doubled quotes undone. */
  readonly text: string
  /** Whether the last word is a prefix. */
  readonly prefix: boolean
  /** The columns in which it is looked for; null: all. */
  readonly columns: readonly string[] | null
}

/** Parses `"some text"` or `"some text"*`, also after columns: `{title body} : "some text"`. Throws INVALID_ARGUMENT for anything else. */
export function parsePhrase(expression: string): Phrase {
  const prefix = expression.endsWith('*')
  const columns = /^\{([a-z]+(?: [a-z]+)*)\} : /.exec(expression)
  const quoted = expression.slice(columns?.[0].length ?? 0, prefix ? -1 : undefined)
  const inside = quoted.slice(1, -1)
  const complete =
    quoted.length >= 2 && quoted.startsWith('"') && quoted.endsWith('"') && !inside.replaceAll('""', '').includes('"')
  // FTS5 treats NUL as the end of the expression.
  if (!complete || inside.includes('\0')) {
    throw recallError('INVALID_ARGUMENT', 'must be complete FTS5 phrases', {
      field: 'phrases',
      value: expression,
      hint: 'Quote the text, double the quotes inside it, and remove NUL.',
    })
  }
  return { text: inside.replaceAll('""', '"'), prefix, columns: columns?.[1]!.split(' ') ?? null }
}
