/**
 * Reads short statements into clauses: who or what each is about, what it says of it, its values, and whether it denies, ends or
 * changes something. Questions, code, lists and long texts give none. Reads spelling, not meaning. Takes linear time.
 */
import { stem } from '../text/tokenise/stem.ts'
import { foldWord, tokenise } from '../text/tokenise/tokenise.ts'
import { leadIn, phrases } from './change-phrases.ts'
import type { Clause } from './clause.ts'
import { type Slot, wording } from './change-wording.ts'
import {
  actionPlace,
  begins,
  isChangeWord,
  isPastForm,
  movesItself,
  neverNouns,
  readWords,
  whoDied,
} from './actions.ts'
import { hasDenial } from './denials.ts'
import { inFewerWords } from './said-as.ts'
import { partsOf, takenBack } from './parts.ts'
import { stateOf } from './states.ts'
import { typedValues } from './typed-values.ts'

const maxCharacters = 600
/** Of a text without a label, and content words of a clause on each side of its action: longer ones tell, explain or chat. */
const maxStatement = 240
const maxWords = 5
const maxLines = 4
const maxSentences = 5
const maxClauses = 8
const codeSigns = /[{}|\\`]|=>|::|\w\(|^\s*(?:[-*#>]|\d+[.)])\s/m

/** The clauses of a text that is a short statement; else none. `speaker`: who says it, if it is known. */
export function clausesOf(written: string, speaker = ''): readonly Clause[] {
  if (written.length > maxCharacters || written.length < 4 || codeSigns.test(written)) return []
  if (written.trim().split('\n').length > maxLines) return []
  const text = written.replace(quotation, (_, who: string) => `${who.replaceAll('.', '').trim()}: `)
  const labelled = setting.exec(text) ?? label.exec(text)
  const said = labelled === null ? text : text.slice(labelled[0].length)
  const name = foldWord(labelled === null || isLabelText(labelled[1]!) ? speaker : labelled[1]!)
  const isLabelled = labelled !== null && isLabelText(labelled[1]!)
  if (!isLabelled && said.length > maxStatement) return []
  // "User: hint for the vault: a boat"
  const inner = name === '' || isLabelled ? undefined : label.exec(said)?.[1]
  if (inner !== undefined && isLabelText(inner) && !tokenise(inner).some(({ word }) => wording().slots.has(word)))
    return clausesOf(said, name)
  const clauses: Clause[] = []
  const sentences = said.split(sentenceEnd)
  if (sentences.length > 2 * maxSentences) return []
  let topic: ReadonlySet<string> = none
  for (const [i, sentence] of sentences.entries()) {
    if (sentence.endsWith('?') || phrases.condition.test(sentence)) continue
    if (i === 0 && isLabelled && isFragment(sentence)) {
      const about = readClause(
        `${labelled![1]!} is ${sentence}`,
        `${labelled![1]!} ${sentence}`,
        name,
        none,
        tokenise(labelled![1]!).length,
      )
      if (about !== null) clauses.push({ ...about, more: stemsIn(sentences.slice(1).join(' ')) })
      return clauses
    }
    const said = inFewerWords(sentence.replace(leadIn, ''))
    const whole = said === sentence ? said : `${sentence} ${said}`
    for (const part of partsOf(said)) {
      const clause = readClause(part, whole, name, topic, -1)
      if (clause === null) continue
      clauses.push(clause)
      if (clause.slot === null && !clause.turns && clause.names.size === 0 && !/^\p{Lu}/u.test(part)) continue
      topic = clause.subject.size > 0 && clause.theirs === '' ? clause.subject : clause.object
    }
    if (clauses.length >= maxClauses) break
  }
  return clauses
}

const none: ReadonlySet<string> = /* @__PURE__ */ new Set()
const label = /^\s*([\p{L}\d][^:.!?\n]{0,60}?):\s+/u
/** "MAX_SIZE=10" */
const setting = /^\s*(?:export |set |-+)?([\p{L}_][\w.-]{0,60})\s?=\s?(?=[^\s=])/u
/** "Dr. Ellis said that" */
const quotation = /^\s*((?:\p{Lu}\p{L}*\.?\s){1,3})(?:says?|said|texted|wrote)(?: that|[:,])\s+/u
const roles: ReadonlySet<string> = /* @__PURE__ */ new Set(['user', 'assistant', 'system', 'human', 'ai'])
/** A day of a month, as in "3. März", ends no sentence. */
const sentenceEnd = /(?<=[.!?])(?<!(?<!\d)\d{1,2}\.|\b(?:Dr|Mr|Mrs|Ms|St)\.)\s+|\n+/

function stemsIn(text: string, least = 4): ReadonlySet<string> {
  const { light } = wording()
  return new Set(
    tokenise(text).flatMap(({ word }) =>
      light.has(word) || word.length < least || /\d/.test(word) ? [] : [stem(word)],
    ),
  )
}

/** Values, and stems of the other words. */
function saidIn(text: string): ReadonlySet<string> {
  const values = typedValues(text, tokenise(text))
  const rest = values.reduce((left, { from, to }) => left.slice(0, from) + ' '.repeat(to - from) + left.slice(to), text)
  const words = [...stemsIn(rest, 2)].filter((word) => !wording().places.has(word))
  return new Set([...words, ...values.map(({ value }) => value)])
}

/** Whether the words before a colon name a matter, and not who speaks: "wifi password", "Pets I like", not "Melanie" or "Anna Lee". */
function isLabelText(written: string): boolean {
  const { attributes } = wording()
  const tokens = tokenise(written)
  if (/[_.]/.test(written) || tokens.some(({ word }) => attributes.has(stem(word)))) return true
  return !roles.has(foldWord(written)) && tokens.some(({ from }) => from > 0 && !/^\p{Lu}/u.test(written.slice(from)))
}

/** Whether a text after a label says nothing by itself. */
function isFragment(sentence: string): boolean {
  const { slots, mine } = wording()
  const tokens = tokenise(sentence)
  return !tokens.slice(0, 5).some(({ word }, i) => mine.has(word) || (i > 0 && saying.has(slots.get(word))))
}

const saying: ReadonlySet<Slot | undefined> = /* @__PURE__ */ new Set<Slot>(['is', 'have', 'home', 'work'])

function readClause(
  written: string,
  sentence: string,
  speaker: string,
  topic: ReadonlySet<string>,
  /** Where the action after a label is; −1 without a label. */
  labelEnd: number,
): Clause | null {
  const known = wording()
  const [part, back] = takenBack(written)
  const tokens = readWords(part, known)
  if (tokens.length === 0 || tokens.length > 40 || tokens[0]!.word === 'let' || phrases.supposing.test(part))
    return null
  const isLabel = labelEnd !== -1
  const at = isLabel ? labelEnd : actionPlace(tokens, known)
  const action = tokens[at]?.word ?? ''
  if (((isLabel && !/[_.]/.test(written)) || at === -1) && tokens.some(({ word }) => known.accounts.has(word)))
    return null
  const values = typedValues(part, tokens)
  const folded = tokens.map(({ word }) => word).join(' ')
  const isFormer = known.phrases.former.test(folded)
  const whole = foldWord(sentence)
  const subject = new Set<string>()
  const object = new Set<string>()
  const names = new Set<string>()
  const allLeads = new Set<string>()
  const isTurn = tokens.some(({ word }) => known.turn.has(word) || known.move.has(word))
  const moves = movesItself(tokens, known)
  const where = new Set<string>()
  let isMine = false
  let their = ''
  let lead = naming.has(action) || (calling.has(action) && called.has(tokens[at + 1]?.word ?? '')) ? 'called' : ''
  for (const [i, { word, from, to }] of tokens.entries()) {
    const isGiven = word === 'mia' && (isCapital(part, from, i) || neverNouns.has(tokens[i + 1]?.word ?? ''))
    // "Server us-1".
    const isCode = /^-\d/.test(part.slice(to, to + 2))
    if (known.mine.has(word) && !isGiven && !isCode && (i <= at || at === -1 || i <= 3)) isMine = true
    // "il" before a noun is an article.
    if (theirs.has(word) && i <= Math.max(at, 1) && (word !== 'il' || i >= at - 2)) their = word
    if (i > at && at !== -1 && (known.places.has(word) || leads.has(word))) allLeads.add(word)
    const isTimed = values.some((value) => value.kind === 'time' && value.from > to && value.from - to < 3)
    if (
      i > at &&
      at !== -1 &&
      lead === '' &&
      object.size === 0 &&
      (known.places.has(word) || leads.has(word)) &&
      !isTimed
    )
      lead = word
    const isSpecial = i === at && word !== ''
    const isName =
      isGiven ||
      isCode ||
      ((word.length > 3 || tokens[i - 1]?.word === 'of') && isCapital(part, from, i)) ||
      // "server A"
      (i > 0 && /^[A-Z]$/.test(part.slice(from, to)) && word !== 'i' && !known.light.has(tokens[i - 1]!.word))
    const isNext = i === at + 1 || (i === at + 2 && known.now.has(tokens[at + 1]!.word))
    const isEnd = tokens.slice(i + 1).every((token) => known.now.has(token.word) || known.also.has(token.word))
    const isSettled = isNext && !isEnd && known.settled.has(word) && known.slots.get(action) === 'is'
    if (isSpecial || isSettled || known.negations.has(word) || (known.light.has(word) && !isName)) continue
    if (known.places.has(word) || leads.has(word) || known.death.has(word)) continue
    if (i < at && begins.has(word) && tokens[i + 1]?.word === 'to') continue
    const isNoun = word === 'ben' || (word === 'son' && known.determiners.has(tokens[i - 1]?.word ?? ''))
    if (i < at && !isNoun && (known.slots.get(word) === 'is' || known.slots.get(word) === 'have')) continue
    if (!isName && (isChangeWord(word, known) || known.also.has(word))) continue
    if (values.some((value) => from >= value.from && to <= value.to)) continue
    const name = stem(word)
    const written = part[from]!
    const isOwner = tokens[i + 1]?.word === 's'
    if (/\d/.test(word) || ((i > 0 || isOwner) && written !== written.toLowerCase())) names.add(name)
    if (at !== -1 && i > at) {
      object.add(name)
      if (allLeads.size > 0) where.add(name)
    } else subject.add(name)
  }
  if (!isLabel && (subject.size > maxWords || object.size > maxWords)) return null
  if (their !== '' && subject.size === 0 && topic.size > 0) {
    for (const name of topic) subject.add(name)
    their = ''
  }
  // "They moved the meeting": no one in particular.
  if (their === 'they' && subject.size === 0 && object.size > 0 && isTurn && !moves) their = ''
  const denies = hasDenial(part, tokens, known) || known.dislikes.has(action)
  return {
    speaker,
    isMine:
      isMine ||
      (known.firstPerson.has(action) && subject.size === 0) ||
      (speaker === 'assistant' && /\byour?\b/i.test(part)),
    theirs: their,
    subject,
    object,
    names,
    slot: judging.test(part) ? null : (known.slots.get(action) ?? (known.dislikes.has(action) ? 'like' : null)),
    action: stem(action),
    lead,
    isPlace: known.places.has(lead),
    leads: allLeads,
    more: none,
    isLabel,
    isSelf: tokens.slice(0, at === -1 ? 2 : at).some(({ word }) => selves.has(word)) || known.firstPerson.has(action),
    where,
    instead: back === '' ? none : saidIn(back),
    renews: tokens.some(({ word }) => known.replacing.has(word)),
    values: values
      .filter(({ kind }) => kind !== 'since')
      .map(({ from, to, ...value }) => ({
        ...value,
        // Without an action a number names one of many: "turn 7".
        isSubject:
          at === -1
            ? value.kind === 'count' &&
              value.unit !== 'time' &&
              value.unit !== stem(tokens.find((token) => token.from >= to)?.word ?? '')
            : from < (tokens[at]?.from ?? 0),
      })),
    state: stateOf(tokens, known.states),
    denies,
    isNow:
      // "The New Yorker" is a name.
      readWords(sentence, known).some(
        ({ word, from }, i) => (known.now.has(word) || known.turn.has(word)) && !isCapital(sentence, from, i),
      ) ||
      back !== '' ||
      known.phrases.now.test(whole),
    turns: isTurn || /\b(?:up|down) to\b/.test(folded),
    moves,
    transfers: tokens.some(({ word }) => known.move.has(word)),
    ends:
      (!denies && tokens.some(({ word, from }, i) => known.end.has(word) && !isCapital(part, from, i))) ||
      known.phrases.end.test(folded) ||
      isFormer,
    finds: tokens.some(({ word }) => known.found.has(word)),
    isA: articles.has(tokens[at + 1]?.word ?? ''),
    adds: tokens.some(({ word }) => known.also.has(word)) || /\b(?:an?|my|our|another) second\b/.test(folded),
    isOrder: known.phrases.order.test(whole),
    revises: known.phrases.revision.test(whole),
    endedBy: tokens.find(({ word }) => known.strongEnds.has(word))?.word ?? '',
    died: whoDied(tokens, known),
    isPast: isFormer || (at === -1 && !still.test(folded) && tokens.some(({ word }, i) => isPastForm(word, i, known))),
    written: written.trim(),
  }
}

/** Whether a word behind the first has a capital letter. */
function isCapital(part: string, from: number, i: number): boolean {
  return i > 0 && /^\p{Lu}/u.test(part.slice(from, from + 2))
}

const selves: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'i we ich wir je j nous yo nosotros io noi ik wij eu'.split(' '),
)
/** A past form that tells no event: "up to 3", "must be submitted". */
const still = /\b(?:(?:up|down) to|(?:must|will|should|can|to) be)\b/
/** Actions that say a name. */
const naming: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'heisst heisse heißt heiße appelle appelles llama llamo chiama chiamo heet chama chamo'.split(' '),
)
const calling: ReadonlySet<string> = /* @__PURE__ */ new Set(['call', 'nenn', 'nenne'])
const called: ReadonlySet<string> = /* @__PURE__ */ new Set(['me', 'us', 'mich', 'uns'])
const articles: ReadonlySet<string> = /* @__PURE__ */ new Set('a an ein eine un une una uma een'.split(' '))
/** An opinion states no fact that another replaces. */
const judging =
  /\b(?:so|very|really|quite|pretty|such|super|great|amazing|awesome|so viel|sehr|très|muy|molto|muito|erg)\s/iu
const theirs: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'he she it they his her their its him them er sie il elle ils elles lui ella ello hij zij ze ele ela eles'.split(' '),
)
const leads: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'called named with about by for from to as para nach naar hacia verso vers zum zur mit uber bei avec con sobre met over com alla allo bij'.split(
    ' ',
  ),
)
