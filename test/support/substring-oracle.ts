/**
 * Finds a query in a record by `includes` on its whole texts; the figures are CtxSift's. Imports nothing of the
 * engine.
 */

export interface Texts {
  readonly instruction: string | null
  readonly body: string | null
  readonly command: string | null
  readonly paths: readonly string[]
}

export interface Strengths {
  readonly instruction: number
  readonly body: number
  readonly command: number
  readonly paths: number
}

/** `holds(text, part)`: both folded; `includes` unless a control replaces it. */
export function strengthsOf(
  texts: Texts,
  query: string,
  holds = (text: string, part: string) => text.includes(part),
): Strengths {
  const asked = folded(query).trim()
  const parts = [...new Set([asked, ...termsOf(query)])].filter((part) => part !== '')
  const ofText = (text: string | null) => {
    const whole = folded(text ?? '')
    return sum(parts, (part) => (whole !== '' && holds(whole, part) ? (part === asked ? 8 : 2) : 0))
  }
  const ofPath = (path: string) => {
    const whole = folded(path)
    return sum(parts, (part) => {
      if (whole === part) return part === asked ? 12 : 6
      if (whole.endsWith(`/${part}`)) return part === asked ? 10 : 5
      return holds(whole, part) ? (part === asked ? 6 : 2) : 0
    })
  }
  return {
    instruction: ofText(texts.instruction),
    body: ofText(texts.body),
    command: ofText(texts.command),
    paths: Math.max(0, ...texts.paths.map(ofPath)),
  }
}

function sum(parts: readonly string[], strengthOf: (part: string) => number): number {
  return parts.reduce((total, part) => total + strengthOf(part), 0)
}

/** Letters, digits, marks, underscore and `. / : \\ -`, by Unicode 15: later letters do not count. */
export function termsOf(query: string): readonly string[] {
  return (
    folded(query)
      .replaceAll(garayA, ' ')
      .match(/[\p{L}\p{N}\p{M}_./:\\-]+/gu) ?? []
  )
}

/** Case folding by the rows of Unicode's CaseFolding.txt (C and F) that the tests' texts need. Throws where a row is missing. */
export function folded(text: string): string {
  let whole = ''
  for (const character of text) whole += rows[character] ??= plainFold(character)
  return whole
}

/** Of a character without a row. */
function plainFold(character: string): string {
  // Half of a surrogate pair is stored as U+FFFD.
  if (/^[\ud800-\udfff]$/.test(character)) return '\ufffd'
  const hasCase = character.toLowerCase() !== character || character.toUpperCase() !== character
  if (hasCase && character > '\x7f') throw new Error(`the table of folds lacks ${JSON.stringify(character)}`)
  return character.toLowerCase()
}

/** A capital letter of Unicode 16. */
const garayA = '\u{10d50}'

const rows: Record<string, string> = {
  ß: 'ss',
  ẞ: 'ss',
  ﬁ: 'fi',
  İ: 'i\u0307',
  ı: 'ı',
  Σ: 'σ',
  ς: 'σ',
  σ: 'σ',
  '\u212a': 'k',
  '\u212b': 'å',
  Å: 'å',
  å: 'å',
  É: 'é',
  é: 'é',
  'Ⓐ': 'ⓐ',
  'ⓐ': 'ⓐ',
  [garayA]: garayA,
}
