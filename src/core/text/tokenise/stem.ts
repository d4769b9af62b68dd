/**
 * The Porter stemmer (M. F. Porter, 1980) exactly as SQLite's FTS5 runs it: for words of 3 to 64 UTF-8 bytes, with
 * `logi` → `log` and `bli` → `ble`, and with every character beyond ASCII as a consonant. Other words are unchanged.
 */

/** The stem of a folded word (see `foldWord`), as the tokenizer `porter unicode61` would index it. */
export function stem(word: string): string {
  const last = word.charCodeAt(word.length - 1)
  // Every ending consists of letters a to z.
  if (!(last >= letterA && last <= letterZ) || !hasStemmableLength(word)) return word
  return withoutFinalE(
    shortened(shortened(shortened(withI(withoutPastOrGerund(withoutPlural(word))), step2), step3), step4),
  )
}

const letterA = 97
const letterZ = 122

function hasStemmableLength(word: string): boolean {
  // A UTF-16 unit takes at most three bytes.
  if (word.length >= 3 && word.length <= 21) return true
  let bytes = word.length
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at)
    if (unit >= 0x80) bytes += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2
  }
  return bytes >= 3 && bytes <= 64
}

/** Step 1a: caresses → caress, ponies → poni, cats → cat. */
function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word
  const length = word.length
  if ((word.endsWith('sses') && length > 4) || (word.endsWith('ies') && length > 3)) return word.slice(0, -2)
  return word.charCodeAt(length - 2) === word.charCodeAt(length - 1) ? word : word.slice(0, -1)
}

/** Step 1b: agreed → agree, plastered → plaster, hopping → hop, filing → file. */
function withoutPastOrGerund(word: string): string {
  const length = word.length
  if (word.endsWith('ed')) {
    if (word.endsWith('eed') && length > 3) return measure(word, length - 3) > 0 ? word.slice(0, -1) : word
    return hasVowel(word, length - 2) ? mended(word.slice(0, -2)) : word
  }
  return word.endsWith('ing') && hasVowel(word, length - 3) ? mended(word.slice(0, -3)) : word
}

/** Repairs the rest that step 1b leaves: conflat → conflate, hopp → hop, fil → file. */
function mended(word: string): string {
  const length = word.length
  if (length > 2 && (word.endsWith('at') || word.endsWith('bl') || word.endsWith('iz'))) return `${word}e`
  const last = word.charCodeAt(length - 1)
  const doubled = last === word.charCodeAt(length - 2) && last < 0x80
  if (doubled && !isVowelLetter(last) && last !== letterL && last !== letterS && last !== letterZ)
    return word.slice(0, -1)
  return measure(word, length) === 1 && endsShort(word, length) ? `${word}e` : word
}

const letterL = 108
const letterS = 115

/** Step 1c: happy → happi, but sky. */
function withI(word: string): string {
  return word.endsWith('y') && hasVowel(word, word.length - 1) ? `${word.slice(0, -1)}i` : word
}

/** Step 5: probate → probat, rate, controll → control. */
function withoutFinalE(word: string): string {
  let length = word.length
  if (word.endsWith('e')) {
    const rest = measure(word, length - 1)
    if (rest > 1 || (rest === 1 && !endsShort(word, length - 1))) length--
  }
  const last = word.charCodeAt(length - 1)
  if (last === letterL && word.charCodeAt(length - 2) === letterL && measure(word, length - 1) > 1) length--
  return length === word.length ? word : word.slice(0, length)
}

interface Ending {
  readonly ending: string
  readonly replacement: string
}

interface Step {
  /** The measure of the part before the ending must be above this. */
  readonly above: number
  /** By the last but one letter of the word. Of several endings that fit, only the first is tried. */
  readonly endings: ReadonlyMap<number, readonly Ending[]>
}

/** Steps 2 to 4: shortens or removes one ending, if the part before it is long enough. */
function shortened(word: string, step: Step): string {
  const endings = step.endings.get(word.charCodeAt(word.length - 2))
  if (endings === undefined) return word
  for (const { ending, replacement } of endings) {
    const length = word.length - ending.length
    if (length <= 0 || !word.endsWith(ending)) continue
    if (measure(word, length) <= step.above) return word
    // Only -ion requires a certain letter before it: adoption, decision, but not champion.
    if (ending === 'ion' && !word.endsWith('s', length) && !word.endsWith('t', length)) return word
    return word.slice(0, length) + replacement
  }
  return word
}

const step2 = defineStep(
  0,
  'ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous ' +
    'ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble',
)
const step3 = defineStep(0, 'icate:ic ative: alize:al iciti:ic ical:ic ful: ness:')
const step4 = defineStep(
  1,
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:',
)

function defineStep(above: number, rules: string): Step {
  const endings = new Map<number, Ending[]>()
  for (const rule of rules.split(' ')) {
    const [ending, replacement] = rule.split(':') as [string, string]
    const key = ending.charCodeAt(ending.length - 2)
    endings.set(key, [...(endings.get(key) ?? []), { ending, replacement }])
  }
  return { above, endings }
}

/** Porter's m: how often a run of vowels is followed by a consonant in the first `length` units. */
function measure(word: string, length: number): number {
  let count = 0
  let vowelBefore = false
  for (let at = 0; at < length; at++) {
    // A y is a vowel after a consonant, a consonant at the start and after a vowel.
    const unit = word.charCodeAt(at)
    const vowel: boolean = isVowelLetter(unit) || (unit === letterY && at > 0 && !vowelBefore)
    if (vowelBefore && !vowel) count++
    vowelBefore = vowel
  }
  return count
}

const letterY = 121

/** Whether the first `length` units contain a vowel. Here a y counts, except at the start of the word. */
function hasVowel(word: string, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const unit = word.charCodeAt(at)
    if (isVowelLetter(unit) || (unit === letterY && at > 0)) return true
  }
  return false
}

/** Porter's *o: consonant, vowel, consonant at the end, the last not w, x or y: fil, but not snow. */
function endsShort(word: string, length: number): boolean {
  if (length < 3) return false
  const last = word.charCodeAt(length - 1)
  // Two bytes or more, so to FTS5 two consonants or more.
  if (last >= 0x80 || last === 119 || last === 120 || last === letterY || isVowelLetter(last)) return false
  return measure(word, length) - measure(word, length - 1) === 1 && !isVowelAt(word, length - 3)
}

function isVowelAt(word: string, at: number): boolean {
  const unit = word.charCodeAt(at)
  return isVowelLetter(unit) || (unit === letterY && at > 0 && !isVowelAt(word, at - 1))
}

/** a, e, i, o, u. */
function isVowelLetter(unit: number): boolean {
  return unit === 97 || unit === 101 || unit === 105 || unit === 111 || unit === 117
}
