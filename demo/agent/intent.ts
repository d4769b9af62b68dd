/** Finds out what a message asks of the memory by its first words. Any other message is a question. */

export type Intent =
  | { readonly kind: 'remember'; readonly text: string }
  | { readonly kind: 'forget'; readonly about: string }
  | { readonly kind: 'why' | 'why-not'; readonly about: string }
  | { readonly kind: 'help' | 'greeting' | 'thanks' }
  /** What is known of a person or thing; `me` is the user. */
  | { readonly kind: 'about'; readonly subject: string }
  /** What the user said in a time that the message names. */
  | { readonly kind: 'my-words' }
  /** A sentence that asks for nothing; a correction says that the last answer or a memory is wrong. */
  | { readonly kind: 'statement' | 'correction'; readonly text: string }
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
  const known = /^what (?:do|did) you (?:know|remember)(?: (?:about|of) (.+))?$/is.exec(withoutEnd(text, ' ?!.'))
  if (known !== null) return { kind: 'about', subject: known[1] ?? 'me' }
  if (/^what (?:did|have) i (?:tell|told|say|said|mention|mentioned|write|written)\b/i.test(text))
    return { kind: 'my-words' }
  if (text.includes('?')) return { kind: 'question', text }
  const corrected = correction.exec(text)?.[1]
  if (corrected !== undefined) return { kind: 'correction', text: corrected }
  return statement.test(text) && !asks.test(text) ? { kind: 'statement', text } : { kind: 'question', text }
}

const correction =
  /^(?:no|nope|wrong|actually|that(?:['’]s| is) (?:wrong|not right|not true|no longer true))\b[\s,.:;–—-]*(.{4,})$/is

/** The user speaks of herself, or a name or thing is said to be or do something. */
const statement =
  /^(?:(?:i|i['’]m|i['’]ve|my|we|we['’]re|our)\b|(?:the |a |an |this |that )?\p{Lu}?[\p{L}\p{N}'’ -]{1,40} (?:is|are|was|were|has|have|had|will|lives|works|likes|loves|hates|starts|begins|opens|closes|moved|needs|wants|prefers|eats|drinks|uses|costs|became|got)\b (?!i\b|you\b|we\b|there\b))/iu

/** Words that ask, or tell the agent to do something: no statement begins with them. */
const asks =
  /^(?:what|when|where|which|who|whom|whose|why|how|is|are|was|were|do|does|did|can|could|will|would|should|tell|show|find|list|give|search)\b/i

/** The text after “remember (that)”, or before “please remember it”; null for other messages. */
export function textToRemember(message: string): string | null {
  const text = message.trim()
  const after = /^(?:please\s+)?remember(?:\s+that\b|\s*:)?\s+(\S.*)$/is.exec(text)?.[1]
  if (after !== undefined) return /^(?:it|this|that)$/i.test(withoutEnd(after, ' .!')) ? null : after
  const end = text.slice(-longestEnd)
  const asked = /\b(?:and )?(?:please )?(?:remember|keep|note) (?:it|this|that)(?:,? please)?[.!]?$/i.exec(end)
  if (asked === null) return null
  const before = withoutEnd(text.slice(0, text.length - end.length + asked.index), ' ,.:;–—-\n')
  return before === '' || before.includes('?') ? null : before
}

/** Characters of “and please remember this, please.”. */
const longestEnd = 40

/** Without the characters at its end that are among `left`. A pattern would take quadratic time for a long run of them. */
function withoutEnd(text: string, left: string): string {
  let end = text.length
  while (end > 0 && left.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

function withoutPronoun(about: string): string {
  const text = withoutEnd(about, ' ?!.').trim()
  return /^(?:it|this|that|so|did you (?:say|answer) (?:it|this|that))$/i.test(text) ? '' : text
}
