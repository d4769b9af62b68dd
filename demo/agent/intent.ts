/** Finds out what a message asks of the memory by its first words. Any other message is a question. */

export type Intent =
  | { readonly kind: 'remember'; readonly text: string }
  | { readonly kind: 'forget'; readonly about: string }
  | { readonly kind: 'why' | 'why-not'; readonly about: string }
  | { readonly kind: 'help' | 'greeting' | 'thanks' | 'about-me' }
  /** A sentence about the user that asks for nothing. */
  | { readonly kind: 'statement'; readonly text: string }
  | { readonly kind: 'question'; readonly text: string }

/** An empty `about` refers to the last answer. */
export function intentOf(message: string): Intent {
  const text = message.trim()
  const content = textToRemember(text)
  if (content !== null) return { kind: 'remember', text: content }
  const subject = /^(?:please\s+)?forget(?:\s+about)?\s+(.+)$/is.exec(text)?.[1]
  if (subject !== undefined) return { kind: 'forget', about: withoutPronoun(subject) }
  const why = /^why\b(\s+not\b)?(.*)$/is.exec(text)
  if (why !== null) return { kind: why[1] === undefined ? 'why' : 'why-not', about: withoutPronoun(why[2] ?? '') }
  if (/^(?:help|what can you do)\b/i.test(text)) return { kind: 'help' }
  if (/^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^?]{0,20}$/i.test(text)) return { kind: 'greeting' }
  if (/^(?:thanks|thank you|thx)\b[^?]{0,40}$/i.test(text)) return { kind: 'thanks' }
  if (/^what (?:do|did) you (?:know|remember)(?: about me)?[\s?!.]*$/i.test(text)) return { kind: 'about-me' }
  if (/^(?:i|i'm|i’m|my|we|our)\b[^?]*$/i.test(text)) return { kind: 'statement', text }
  return { kind: 'question', text }
}

/** The text after “remember (that)”; null for other messages. */
export function textToRemember(message: string): string | null {
  return /^\s*(?:please\s+)?remember(?:\s+that\b|\s*:)?\s+(.+?)\s*$/is.exec(message)?.[1] ?? null
}

function withoutPronoun(about: string): string {
  const text = about.replace(/[\s?!.]+$/, '').trim()
  return /^(?:it|this|that|so|did you (?:say|answer) (?:it|this|that))$/i.test(text) ? '' : text
}
