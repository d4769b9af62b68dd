/** The lines of a text that comes in pieces, without their ends. */
import { recallError } from '../../core/model/errors.ts'

/** Characters of one line. */
const mostLength = 64 * 1_048_576

export async function* linesOf(texts: AsyncIterable<string>): AsyncIterable<string> {
  let rest: string[] = []
  let length = 0
  for await (const chunk of texts) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      yield withoutReturn(rest.join('') + chunk.slice(from, end))
      rest = []
      length = 0
      from = end + 1
    }
    if (from < chunk.length) rest.push(chunk.slice(from))
    length += chunk.length - from
    if (length > mostLength) {
      throw recallError('INVALID_RECORD', `must have at most ${mostLength} characters`, {
        field: 'line',
        hint: 'Cut the file into lines.',
      })
    }
  }
  if (rest.length > 0) yield withoutReturn(rest.join(''))
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
