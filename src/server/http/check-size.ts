/**
 * Refuses JSON whose structure would hold the thread for long: parsing millions of brackets takes a second, and other stores wait meanwhile.
 * Counting them first takes some 2 ms for each MB.
 */
import { recallError } from '../../core/model/errors.ts'

/** 500 records with vectors of 1,536 numbers have 768,000 values. */
const mostValues = 1_000_000
const mostContainers = 200_000
const mostDepth = 200

/** Throws INVALID_ARGUMENT if the JSON in these bytes has too many values, or too many within each other. Typed arrays may follow it. */
export function checkSize(bytes: Uint8Array): void {
  let values = 0
  let containers = 0
  let depth = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) i = endOfString(bytes, i)
    else if (byte === comma) values++
    else if (byte === openBracket || byte === openBrace) {
      containers++
      if (++depth > mostDepth) throw tooMuch(`be at most ${mostDepth} levels deep`)
    } else if (byte === closeBracket || byte === closeBrace) depth--
  }
  if (values > mostValues) throw tooMuch(`have at most ${mostValues} values`)
  if (containers > mostContainers) throw tooMuch(`have at most ${mostContainers} objects and lists`)
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The place of the quote that ends the string. */
function endOfString(bytes: Uint8Array, start: number): number {
  let i = start + 1
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

function tooMuch(problem: string) {
  return recallError('INVALID_ARGUMENT', `must ${problem}`, { field: 'request', hint: 'Send less at once.' })
}
