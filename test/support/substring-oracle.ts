/** What a record holds of a query, by `includes` on its whole texts; the figures are those of SPEC §6.2. */
import { ctxsiftTerms, foldForRuns } from '../../src/core/text/runs.ts'

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

/** `holds(text, part)`: both folded; `includes` unless a control says otherwise. */
export function strengthsOf(
  texts: Texts,
  query: string,
  holds = (text: string, part: string) => text.includes(part),
): Strengths {
  const asked = foldForRuns(query).trim()
  const parts = [...new Set([asked, ...ctxsiftTerms(query)])].filter((part) => part !== '')
  const ofText = (text: string | null) => {
    const folded = foldForRuns(text ?? '')
    return sum(parts, (part) => (folded !== '' && holds(folded, part) ? (part === asked ? 8 : 2) : 0))
  }
  const ofPath = (path: string) => {
    const folded = foldForRuns(path)
    return sum(parts, (part) => {
      if (folded === part) return part === asked ? 12 : 6
      if (folded.endsWith(`/${part}`)) return part === asked ? 10 : 5
      return holds(folded, part) ? (part === asked ? 6 : 2) : 0
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
