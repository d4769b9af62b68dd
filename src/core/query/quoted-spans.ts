/** The quoted parts of a text: between two double quotes of any form. A quote without a partner quotes nothing. */

/** UTF-16 offsets [from, to). */
export type Span = readonly [from: number, to: number]

export function quotedSpans(text: string): readonly Span[] {
  const quotes = [...text.matchAll(/["“”„«»]/gu)].map(({ index }) => index)
  return quotes.flatMap((from, i): Span[] => (i % 2 === 0 && i + 1 < quotes.length ? [[from + 1, quotes[i + 1]!]] : []))
}
