/**
 * Cuts a JSON text that comes in pieces into the values of its outer array, or of the arrays and members of its outer object, so that a file
 * needs no more memory than its largest value. `JSON.parse` reads the values.
 */

export interface JsonPart {
  /** The member of the outer object; null if the outer value is an array. */
  readonly key: string | null
  /** Position in its array; null for a member that is not an array. */
  readonly index: number | null
  readonly value: unknown
  /** Why it cannot be read; null if it can. */
  readonly problem: string | null
}

/** Characters of one value. A longer one is not kept. */
const mostLength = 64 * 1_048_576

export async function* jsonParts(texts: AsyncIterable<string>): AsyncIterable<JsonPart> {
  let state: State = 'before'
  let pieces: string[] = []
  let length = 0
  let depth = 0
  /** The depth at which values begin: 1, or 2 in an array of the outer object. */
  let level = 1
  let isText = false
  let isEscaped = false
  let isObject = false
  let key: string | null = null
  let index = 0

  const take = (): JsonPart | null => {
    const text = pieces.join('').trim()
    const isMember = isObject && level === 1
    const isLong = length > mostLength
    pieces = []
    length = 0
    if (text === '' && !isLong) return null
    const place = { key, index: isMember ? null : index++ }
    if (isLong) return { ...place, value: undefined, problem: `is longer than ${mostLength} characters` }
    try {
      const value: unknown = JSON.parse(isMember ? `{${text}}` : text)
      if (!isMember) return { ...place, value, problem: null }
      const [[name, member] = ['', null]] = Object.entries(value as object)
      return { key: name, index: null, value: member, problem: null }
    } catch (error) {
      return { ...place, value: undefined, problem: error instanceof Error ? error.message : 'must be JSON' }
    }
  }
  const keep = (piece: string) => {
    length += piece.length
    if (length <= mostLength) pieces.push(piece)
  }

  for await (const chunk of texts) {
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i)
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (code === backslash) isEscaped = true
        else if (code === quote) isText = false
        continue
      }
      if (code === quote) isText = true
      else if (state === 'before') {
        if (code === openArray || code === openObject) {
          isObject = code === openObject
          state = 'inside'
          depth = 1
          from = i + 1
        }
      } else if (state === 'inside' && code === openArray && isObject && depth === 1 && level === 1) {
        const name = /^\s*("(?:[^"\\]|\\.)*")\s*:\s*$/s.exec(pieces.join('') + chunk.slice(from, i))?.[1]
        depth++
        if (name !== undefined) {
          key = JSON.parse(name) as string
          level = 2
          index = 0
          pieces = []
          length = 0
          from = i + 1
        }
      } else if (code === openArray || code === openObject) depth++
      else if (code === closeArray || code === closeObject) {
        depth--
        if (state !== 'inside' || depth >= level) continue
        keep(chunk.slice(from, i))
        const part = take()
        if (part !== null) yield part
        from = i + 1
        if (level === 2) {
          level = 1
          key = null
        } else state = 'after'
      } else if (code === comma && depth === level) {
        keep(chunk.slice(from, i))
        const part = take()
        if (part !== null) yield part
        from = i + 1
      }
    }
    if (state !== 'before') keep(chunk.slice(from))
  }
  const isCut = state !== 'after'
  const rest = pieces.join('').trim()
  if (rest === '' && !isCut) return
  const at = { key, index: isObject && level === 1 ? null : index, value: undefined }
  yield { ...at, problem: isCut ? 'ends before its JSON does' : 'has more text after its JSON' }
}

type State = 'before' | 'inside' | 'after'

const quote = 34
const backslash = 92
const openArray = 91
const closeArray = 93
const openObject = 123
const closeObject = 125
const comma = 44
