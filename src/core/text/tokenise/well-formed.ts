/** Text as UTF-8 can hold it: what SQLite stores and gives back, so what is hashed and compared must be the same. */

/** The text with every lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  // The first test is quick, and nearly every text ends there.
  return surrogates.test(text) ? text.replace(loneSurrogates, '\ufffd') : text
}

const surrogates = /[\ud800-\udfff]/
const loneSurrogates = /\p{Surrogate}/gu
