/** What a sentence asks of the memory, by its first words. All that is none of these is a question. */

export type Wish =
  | { readonly kind: 'remember'; readonly text: string }
  | { readonly kind: 'forget'; readonly about: string }
  | { readonly kind: 'why' | 'why-not'; readonly about: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'question'; readonly text: string }

/** An empty `about` points at what was just said. */
export function wishOf(message: string): Wish {
  const text = message.trim()
  const remembered = wishToRemember(text)
  if (remembered !== null) return { kind: 'remember', text: remembered }
  const forgotten = /^(?:please\s+)?forget(?:\s+about)?\s+(.+)$/is.exec(text)?.[1]
  if (forgotten !== undefined) return { kind: 'forget', about: withoutPointer(forgotten) }
  const asked = /^why\b(\s+not\b)?(.*)$/is.exec(text)
  if (asked !== null) return { kind: asked[1] === undefined ? 'why' : 'why-not', about: withoutPointer(asked[2] ?? '') }
  if (/^(?:help|what can you do)\b/i.test(text)) return { kind: 'help' }
  return { kind: 'question', text }
}

/** What follows “remember (that)”; null where that is not what the sentence says. */
export function wishToRemember(message: string): string | null {
  return /^\s*(?:please\s+)?remember(?:\s+that\b|\s*:)?\s+(.+?)\s*$/is.exec(message)?.[1] ?? null
}

function withoutPointer(about: string): string {
  const text = about.replace(/[\s?!.]+$/, '').trim()
  return /^(?:it|this|that|so|did you (?:say|answer) (?:it|this|that))$/i.test(text) ? '' : text
}
