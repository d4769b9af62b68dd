/**
 * Reads what a request wants of a memory: nothing (small talk), facts about the writer, or something to be done, for which what holds on
 * (instructions, constraints) matters too [H6]. Reads spelling, not meaning. Takes linear time.
 */
import { isSmallTalk, wordsOf } from './read-turn.ts'
import { advice, indirect, saidWording } from './wording.ts'

export interface ReadRequest {
  readonly isSmallTalk: boolean
  /** Whether something is to be done or advised. */
  readonly asksForDeed: boolean
  /** Whether it is about its writer: "my", "should I". */
  readonly isPersonal: boolean
  /** Numbers of the matters that it names. */
  readonly domains: ReadonlySet<number>
}

/** A longer request is a text to work on; its beginning says what is asked. */
const longest = 1_000

export function readRequest(request: string): ReadRequest {
  const text = request.slice(0, longest)
  const words = wordsOf(withoutQuotes(text))
  const { self } = saidWording()
  const own = words.join(' ').replace(indirect, ' ')
  return {
    isSmallTalk: isSmallTalk(text),
    asksForDeed: asksForDeed(text),
    isPersonal: own.split(' ').some((word) => self.has(word)),
    domains: domainsOf(words),
  }
}

/** Numbers of the matters that words name. */
export function domainsOf(words: readonly string[]): ReadonlySet<number> {
  const { domains } = saidWording()
  return new Set(domains.flatMap((names, i) => (words.some((word) => names.has(word)) ? [i] : [])))
}

/** Whether a sentence, or a part of one behind a comma, begins as a request does or asks for advice. */
function asksForDeed(text: string): boolean {
  const { requests, interrogatives, self, courtesies } = saidWording()
  return text.split(/[.,;:!?\n]+/).some((part) => {
    const words = wordsOf(part)
    if (advice.test(words.join(' '))) return true
    const [first = '', second = ''] = words.filter((word, i) => i > 0 || !fillers.has(word))
    if (first === '' || self.has(first) || interrogatives.has(first)) return false
    return requests.has(first) || (!starters.has(first) && !courtesies.has(first) && objects.has(second))
  })
}

const fillers: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'please bitte now then so ok okay and also just por favor'.split(' '),
)
/** Words that begin statements. */
const starters: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'the a an this that these those there here he she it they you his her its their your in on at by for from with to of as if when while because but or not all every each some any no one two ' +
    'der die das ein eine es er sie wir ihr und oder im am zu mit von fur auf nach le la les un une il elle on ce en dans el los una ella de con lo gli het een hij zij o os um uma ele ela'
  ).split(' '),
)
/** What follows the first word of a request: "curl the …", "release my …". */
const objects: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'the a an my our this that these those it me us some something all der die das den ein eine einen mir uns mein meine le la les un une mon ma moi el los una mi il lo uno het een mijn o os um uma meu minha'.split(
    ' ',
  ),
)

function withoutQuotes(text: string): string {
  return text.replace(/["“„«][^"”“»]*["”“»]/g, ' ')
}
