/** Guesses from letters and function words whether a text is English. For use where the table of leanings is not loaded. */

/** True if more than a quarter of the letters are not Latin. */
export function isOtherScript(text: string): boolean {
  const all = text.match(letters)?.length ?? 0
  const latin = text.match(latinLetters)?.length ?? 0
  return (all - latin) * 4 > all
}

const letters = /\p{L}/gu
const latinLetters = /\p{Script=Latin}/gu

/** True if at least a sixth of the words are function words of English that no other language with Latin letters has. */
export function isPlainlyEnglish(text: string): boolean {
  const all = text.toLowerCase().match(words) ?? []
  const own = all.filter((word) => english.has(word)).length
  return own > 0 && own * 6 >= all.length
}

const words = /[\p{L}\p{M}]+/gu

const english: ReadonlySet<string> = new Set(
  `the of and are been being that this these those with without from into about how what which when where whom whose why does did doing
  doesn didn isn aren wasn weren hasn haven have has having would should could cannot must might shall they them their there you your
  yours she its our ours my every each because while until than not`.split(/\s+/),
)
