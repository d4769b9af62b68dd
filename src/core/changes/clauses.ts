/**
 * Reads short statements into clauses: who or what each is about, what it says of it, its values, and whether it denies, ends or
 * changes something. Questions, code, lists and long texts give none. Reads spelling, not meaning. Takes linear time.
 */
import { stem } from '../text/tokenise/stem.ts'
import { foldWord, type Token, tokenise } from '../text/tokenise/tokenise.ts'
import { leadIn, type Slot, type Wording, wording } from './change-wording.ts'
import { actionPlace, isChangeWord, isPastForm, movesItself, neverNouns, whoDied } from './actions.ts'
import { type Value, typedValues } from './typed-values.ts'

export interface Clause {
  /** Who says it, folded; `''` if unknown. */
  readonly speaker: string
  /** Whether it is about its writer: "I", "my", "our". */
  readonly isMine: boolean
  /** The pronoun of somebody who is not named: "he", "her", "they"; `''` without one. */
  readonly theirs: string
  /** Stems before the action, and behind it. */
  readonly subject: ReadonlySet<string>
  readonly object: ReadonlySet<string>
  /** Stems written with a capital inside the sentence, or with digits. */
  readonly names: ReadonlySet<string>
  /** What the action says; null for another action, or none. */
  readonly slot: Slot | null
  /** The action's stem; `''` if none is known. */
  readonly action: string
  /** The word that leads what is said: "in", "with", "about"; `''` for none. */
  readonly lead: string
  readonly isPlace: boolean
  /** Every word of place or direction behind the action. */
  readonly leads: ReadonlySet<string>
  /** Of a label: stems of the sentences after what it says. */
  readonly more: ReadonlySet<string>
  /** The label of `Label: value`, whose stems are the subject. */
  readonly isLabel: boolean
  readonly values: readonly Value[]
  /** A state that excludes others of its group: "open", "paid". */
  readonly state: { readonly word: string; readonly group: number } | null
  readonly denies: boolean
  readonly isNow: boolean
  /** Whether it says that something holds from now on. */
  readonly isOrder: boolean
  /** Whether it has an action of change. */
  readonly turns: boolean
  /** Whether a person or a thing goes to live elsewhere: "moved to Porto", not "moved the sofa". */
  readonly moves: boolean
  /** Whether anything goes elsewhere. */
  readonly transfers: boolean
  readonly ends: boolean
  /** The word that says that a thing is over or gone for good; `''` without one. */
  readonly endedBy: string
  /** The stem of who is dead, as it says; `''` if no one. */
  readonly died: string
  /** Whether it says that what was looked for is there. */
  readonly finds: boolean
  /** Whether what it says begins with "a": "is a fox". */
  readonly isA: boolean
  readonly adds: boolean
  readonly isPast: boolean
  readonly written: string
}

const maxCharacters = 600
/** Of a text without a label, and content words of a clause on each side of its action: longer ones tell, explain or chat. */
const maxStatement = 240
const maxWords = 5
const maxLines = 4
const maxSentences = 5
const maxClauses = 8
const codeSigns = /[{}|\\`]|=>|::|\w\(|^\s*(?:[-*#>]|\d+[.)])\s/m

/** The clauses of a text that is a short statement; else none. `speaker`: who says it, if it is known. */
export function clausesOf(text: string, speaker = ''): readonly Clause[] {
  if (text.length > maxCharacters || text.length < 4 || codeSigns.test(text)) return []
  if (text.trim().split('\n').length > maxLines) return []
  const labelled = label.exec(text)
  const said = labelled === null ? text : text.slice(labelled[0].length)
  const name = foldWord(labelled === null || isLabelText(labelled[1]!) ? speaker : labelled[1]!)
  const isLabelled = labelled !== null && isLabelText(labelled[1]!)
  if (!isLabelled && said.length > maxStatement) return []
  const clauses: Clause[] = []
  const sentences = said.split(sentenceEnd)
  if (sentences.length > 2 * maxSentences) return []
  let topic: ReadonlySet<string> = none
  for (const [i, sentence] of sentences.entries()) {
    if (sentence.endsWith('?')) continue
    if (i === 0 && isLabelled && isFragment(sentence)) {
      const about = readClause(`${labelled![1]!} is ${sentence}`, sentence, name, none, tokenise(labelled![1]!).length)
      if (about !== null) clauses.push({ ...about, more: stemsIn(sentences.slice(1).join(' ')) })
      return clauses
    }
    for (const part of partsOf(sentence.replace(leadIn, ''))) {
      const clause = readClause(part, sentence, name, topic, -1)
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
/** A name or a label before the text. */
const label = /^\s*([\p{L}\d][^:.!?\n]{0,60}?):\s+/u
const roles: ReadonlySet<string> = /* @__PURE__ */ new Set(['user', 'assistant', 'system', 'human', 'ai'])
/** A day of a month, as in "3. März", ends no sentence. */
const sentenceEnd = /(?<=[.!?])(?<!(?<!\d)\d{1,2}\.|\b(?:Dr|Mr|Mrs|Ms|St)\.)\s+|\n+/

function stemsIn(text: string): ReadonlySet<string> {
  const { light } = wording()
  return new Set(tokenise(text).flatMap(({ word }) => (light.has(word) || word.length < 4 ? [] : [stem(word)])))
}

/** Whether the words before a colon name a matter, and not who speaks: "wifi password", "Pets I like", not "Melanie" or "Anna Lee". */
function isLabelText(written: string): boolean {
  const { attributes } = wording()
  const tokens = tokenise(written)
  if (tokens.some(({ word }) => attributes.has(stem(word)))) return true
  return !roles.has(foldWord(written)) && tokens.some(({ from }) => from > 0 && !/^\p{Lu}/u.test(written.slice(from)))
}

/** Whether a text after a label says nothing by itself. */
function isFragment(sentence: string): boolean {
  const { slots, mine } = wording()
  const tokens = tokenise(sentence)
  return !tokens.slice(0, 5).some(({ word }, i) => mine.has(word) || (i > 0 && saying.has(slots.get(word))))
}

const saying: ReadonlySet<Slot | undefined> = /* @__PURE__ */ new Set<Slot>(['is', 'have', 'home', 'work'])

/** A sentence cut at commas, and at "and" or "but" between two actions. */
function partsOf(sentence: string): readonly string[] {
  const { slots, end, move } = wording()
  const says = (part: string) => tokenise(part).some(({ word }) => slots.has(word) || end.has(word) || move.has(word))
  const parts: string[] = []
  for (const piece of sentence.split(/[,;–—]\s+/)) {
    const halves = piece.split(joins)
    if (halves.length === 2 && halves.every(says)) parts.push(...halves)
    else parts.push(piece)
  }
  return parts
}

const joins = /\s(?:and|but|because|so|und|aber|sondern|et|mais|y|pero|ma|maar|mas)\s/iu

function readClause(
  part: string,
  sentence: string,
  speaker: string,
  topic: ReadonlySet<string>,
  /** Where the action after a label is; −1 without a label. */
  labelEnd: number,
): Clause | null {
  const known = wording()
  const tokens = tokenise(part).map((token) => ({ ...token, word: known.families.get(token.word) ?? token.word }))
  if (tokens.length === 0 || tokens.length > 40 || tokens[0]!.word === 'let') return null
  const isLabel = labelEnd !== -1
  const at = isLabel ? labelEnd : actionPlace(tokens, known)
  const action = tokens[at]?.word ?? ''
  if ((isLabel || at === -1) && tokens.some(({ word }) => known.accounts.has(word))) return null
  const values = typedValues(part, tokens)
  const folded = tokens.map(({ word }) => word).join(' ')
  const whole = foldWord(sentence)
  const subject = new Set<string>()
  const object = new Set<string>()
  const names = new Set<string>()
  const allLeads = new Set<string>()
  let isMine = false
  let their = ''
  let lead = naming.has(action) || (calling.has(action) && called.has(tokens[at + 1]?.word ?? '')) ? 'called' : ''
  for (const [i, { word, from, to }] of tokens.entries()) {
    const isGiven = word === 'mia' && neverNouns.has(tokens[i + 1]?.word ?? '')
    if (known.mine.has(word) && !isGiven && (i <= at || at === -1 || i <= 3)) isMine = true
    if (theirs.has(word) && i <= Math.max(at, 1)) their = word
    if (i > at && at !== -1 && (known.places.has(word) || leads.has(word))) allLeads.add(word)
    if (i > at && at !== -1 && lead === '' && object.size === 0 && (known.places.has(word) || leads.has(word)))
      lead = word
    const isSpecial = i === at && word !== ''
    const isName = isGiven || (i > 0 && word.length > 3 && /^\p{Lu}/u.test(part.slice(from)))
    const isSettled = i === at + 1 && known.settled.has(word) && known.slots.get(action) === 'is'
    if (isSpecial || isSettled || known.negations.has(word) || (known.light.has(word) && !isName)) continue
    if (known.places.has(word) || leads.has(word) || known.death.has(word)) continue
    if (i < at && word !== 'ben' && (known.slots.get(word) === 'is' || known.slots.get(word) === 'have')) continue
    if (isChangeWord(word, known) || known.also.has(word)) continue
    if (values.some((value) => from >= value.from && to <= value.to)) continue
    const name = stem(word)
    const written = part[from]!
    const isOwner = tokens[i + 1]?.word === 's'
    if (/\d/.test(word) || ((i > 0 || isOwner) && written !== written.toLowerCase())) names.add(name)
    if (at !== -1 && i > at) object.add(name)
    else subject.add(name)
  }
  if (!isLabel && (subject.size > maxWords || object.size > maxWords)) return null
  if (their !== '' && subject.size === 0 && topic.size > 0) {
    for (const name of topic) subject.add(name)
    their = ''
  }
  const denies =
    tokens.filter(({ word, to }) => known.negations.has(word) && !(word === 'no' && /^\s\p{Lu}/u.test(part.slice(to))))
      .length %
      2 ===
      1 || known.dislikes.has(action)
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
    values: values.map(({ from, to: _to, ...value }) => ({
      ...value,
      // Without an action a number names one of many: "turn 7".
      isSubject: at === -1 ? value.kind === 'count' : from < (tokens[at]?.from ?? 0),
    })),
    state: stateOf(tokens, known),
    denies,
    isNow:
      tokenise(sentence).some(({ word }) => known.now.has(word) || known.turn.has(word)) ||
      known.phrases.now.test(whole),
    turns: tokens.some(({ word }) => known.turn.has(word) || known.move.has(word)) || /\b(?:up|down) to\b/.test(folded),
    moves: movesItself(tokens, known),
    transfers: tokens.some(({ word }) => known.move.has(word)),
    ends: (!denies && tokens.some(({ word }) => known.end.has(word))) || known.phrases.end.test(folded),
    finds: tokens.some(({ word }) => known.found.has(word)),
    isA: articles.has(tokens[at + 1]?.word ?? ''),
    adds: tokens.some(({ word }) => known.also.has(word)),
    isOrder: known.phrases.order.test(whole),
    endedBy: tokens.find(({ word }) => known.strongEnds.has(word))?.word ?? '',
    died: whoDied(tokens, known),
    isPast: at === -1 && !/\b(?:up|down) to\b/.test(folded) && tokens.some(({ word }, i) => isPastForm(word, i, known)),
    written: part.trim(),
  }
}

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
  'called named with about by for from to as mit uber bei avec con sobre met over com'.split(' '),
)

function stateOf(tokens: readonly Token[], { states }: Wording): Clause['state'] {
  for (const [i, { word }] of tokens.entries()) {
    const group = states.get(word)
    if (group === undefined || (word === 'on' && !afterOn.has(tokens[i + 1]?.word ?? ''))) continue
    return { word, group }
  }
  return null
}

/** What follows "on" where it is a state. */
const afterOn: ReadonlySet<string> = /* @__PURE__ */ new Set(['', 'by', 'again', 'now', 'for', 'in'])
