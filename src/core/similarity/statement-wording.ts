/** Lists of words that show whether a sentence denies, reports a change or speaks of its writer, and of words that do not name its subject. */
import { languages } from '../time/languages.ts'
import { foldWord } from '../text/tokenise/tokenise.ts'
import { commonWords, contractionRemnants, questionWords } from '../text/tokenise/stop-words.ts'

/** Whether a folded word says nothing of the subject of a sentence. */
export function isLight(word: string): boolean {
  commonElsewhere ??= new Set(
    languages.flatMap(({ common, months, shortMonths, weekdays, numbers }) =>
      [common, months, shortMonths, weekdays, numbers].join(' ').split(/[ |]/).map(foldWord),
    ),
  )
  return (
    lightWords.has(word) ||
    commonWords.has(word) ||
    questionWords.has(word) ||
    contractionRemnants.has(word) ||
    commonElsewhere.has(word)
  )
}

/** Built at the first use. */
let commonElsewhere: ReadonlySet<string> | null = null

/** How people ask, want, plan and feel, words of change, and words of time. */
const lightWords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'help helps helping trying try tried want wanted wants make making sure know knew need needs needed like kinda sorta gonna worried ' +
    'worry think thinking work working works use using used uses get getting got new now also really good great best better way ways feel ' +
    'feeling plan planning planned recently currently ensure consider considering looking look start started starting able wondering ' +
    'wonder struggling managed implement increased increase decreased adjusted updated update changed change rescheduled reschedule ' +
    'extended extend improved improve improving added add adding reached moved moving today tomorrow yesterday week weeks month months ' +
    'year years day days hour hours minute minutes time times thing things lot many much first last next suggest advice tips give goal ' +
    'ever never any anything before actually'
  ).split(' '),
)

export function reportsChange(sentence: string): boolean {
  return change.test(sentence)
}

const change =
  /(?<!\p{L})(?:now|new|increased?|decreased?|raised|lowered|adjusted|updated|changed|rescheduled|moved|extended|postponed|instead|actually|recently|no longer|improved|reached|grown?|switched|corrected|jetzt|neue[rsnm]?|inzwischen|verschoben|geändert|erhöht|stattdessen|maintenant|désormais|nouveau|nouvelle|reporté|changé|augmenté|ahora|nuev[oa]|cambiad[oa]|aumentad[oa]|agora|nov[oa]|adesso|nuov[oa]|nu|nieuwe?|voortaan)(?!\p{L})/iu

export function isAboutWriter(sentence: string): boolean {
  return writer.test(sentence)
}

const writer =
  /(?<![\p{L}'’])(?:i|my|me|we|our|mine|ich|mein\p{L}{0,2}|wir|unser\p{L}{0,2}|je|j['’]\p{L}+|mon|ma|mes|nous|notre|nos|yo|mi|mis|eu|meu|minha|io|mio|mia|ik|mijn|wij)(?!\p{L})/iu

/** Whether a sentence negates anything, so that it asserts nothing for sure. */
export function negates(sentence: string): boolean {
  return negation.test(sentence)
}

const negation =
  /(?<!\p{L})(?:never|not|no longer|none|nobody|nothing|\p{L}{2,6}n['’]t|nie|niemals|nicht|kein\p{L}{0,2}|jamais|pas|nunca|jamás|nooit|niet|geen)(?!\p{L})/iu

/** The offsets of the words that begin a denial. */
export function startsOfDenials(sentence: string): readonly number[] {
  return Array.from(sentence.matchAll(denial), ({ index }) => index)
}

const denial =
  /(?<!\p{L})(?:never|no longer|(?:have|has|had|did|do|does|am|is|are|was|were)(?: not|n['’]t)|nie|niemals|nicht mehr|kein\p{L}{0,2}|jamais|nunca|jamás|nooit|geen)(?!\p{L})/giu
