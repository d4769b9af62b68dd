/** Makes text valid UTF-8, the form that SQLite stores and returns: hashes and comparisons must use the same form. */

/** The text with every lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  // A fast test that is enough for nearly every text.
  return surrogates.test(text) ? text.replace(loneSurrogates, '\ufffd') : text
}

const surrogates = /[\ud800-\udfff]/
const loneSurrogates = /\p{Surrogate}/gu
