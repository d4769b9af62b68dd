/**
 * Chooses which records the built-in agent quotes. It cannot judge whether records disagree, so of records on the same subject the
 * more trusted one comes first, and of one tier the newer one.
 */

export interface Ordered {
  readonly text: string
  /** Rank of its tier; 0 is the highest. */
  readonly rank?: number | undefined
  /** ISO 8601. */
  readonly createdAt?: string | undefined
}

/** The record to quote first, and the one to quote after it. `records`: the best match first. */
export function inOrder<T extends Ordered>(question: string, [first, ...rest]: readonly T[]): readonly T[] {
  if (first === undefined) return []
  const others = rest.slice(0, 2)
  const trusted = others.find((one) => rankOf(one) < rankOf(first) && sharedWords(question, one.text) > 0)
  if (trusted !== undefined) return [trusted, first]
  const newer = others.find(
    (one) => rankOf(one) === rankOf(first) && isNewer(one, first) && replaces(question, one, first),
  )
  return newer === undefined ? [first, ...others.slice(0, 1)] : [newer, first]
}

/** Without a tier or a record, after all tiers. */
export function rankOf(record: Ordered | undefined): number {
  return record?.rank ?? Number.POSITIVE_INFINITY
}

function isNewer(one: Ordered, other: Ordered): boolean {
  return (one.createdAt ?? '') > (other.createdAt ?? '')
}

/** Whether it has as many words of the question as the other, or reports a change. */
function replaces(question: string, one: Ordered, other: Ordered): boolean {
  const words = sharedWords(question, one.text)
  return (words > 0 && words >= sharedWords(question, other.text)) || reportsChange.test(one.text)
}

const reportsChange = /\b(?:moved|no longer|not any ?more|switched|changed|renamed|instead)\b/i

/** The number of words of the question that the text has, by their first five letters. */
function sharedWords(question: string, text: string): number {
  const inText = beginnings(text)
  return [...beginnings(question)].filter((beginning) => inText.has(beginning)).length
}

function beginnings(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  return new Set(words.filter((word) => !common.has(word)).map((word) => word.replace(/s$/, '').slice(0, 5)))
}

const common = new Set('the and does did what when where which who how why are was our you for'.split(' '))
