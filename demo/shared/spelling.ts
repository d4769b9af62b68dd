/**
 * Says which words of a question are in no record, and what was searched for in their place. If nothing answers and nothing was
 * corrected, offers the question with near words that records hold.
 */
import type { Reading, Recall, RecallResult } from 'scrubjay'
import { type Child, make } from './parts.ts'

export interface Spelling {
  /** The question of `result`, as it was asked. */
  readonly text: string
  readonly result: Pick<RecallResult, 'plan'>
  readonly isAnswered: boolean
  /** The name of a record in this app: note, memory. */
  readonly what: string
  /** Asks the corrected question. */
  readonly ask: (text: string) => void
}

/** Fills the line that belongs to an answer. Without a word to correct, the line is hidden. */
export async function showSpelling(recall: Recall, line: HTMLElement, spelling: Spelling): Promise<void> {
  const { text, result, isAnswered, what, ask } = spelling
  const turn = crypto.randomUUID()
  line.dataset['turn'] = turn
  const corrected = correctedWords(result.plan.read, what)
  show(corrected)
  if (isAnswered || corrected.length > 0) return
  // A call that fails, for example while the store closes, only leaves the line empty.
  const question = await nearestQuestion(recall, text).catch(() => null)
  if (question === null || line.dataset['turn'] !== turn) return
  show(['Did you mean ', make('button', { type: 'button', class: 'small', click: () => ask(question) }, question), '?'])

  function show(content: readonly Child[]): void {
    line.replaceChildren(...content.filter((child) => child !== null))
    line.hidden = content.length === 0
  }
}

/**
 * Whether a word that no record has is probably a name: short, and with a capital inside the sentence. What is found for the
 * corrected word, as “parts” for “Paris”, is then no answer.
 */
export function lacksName(text: string, read: readonly Reading[]): boolean {
  return read.some(
    (one) => one.kind === 'typo' && /^\p{Lu}\p{Ll}{3,5}$/u.test(one.text) && !text.trimStart().startsWith(one.text),
  )
}

/** A sentence for each corrected word. */
export function correctedWords(read: readonly Reading[], what: string): readonly Child[] {
  return read.flatMap((one) =>
    one.kind === 'typo' ? [`No ${what} has “${one.text}”. Searched for `, make('b', {}, one.as), ' instead. '] : [],
  )
}

/** The question with each unknown word replaced by the most frequent near word; null if none is replaced. */
export async function nearestQuestion(recall: Pick<Recall, 'suggest'>, text: string): Promise<string | null> {
  const parts = text.split(/([\p{L}\p{M}]+)/u)
  const nearest = await Promise.all(parts.map((part, i) => (i % 2 === 1 ? nearestWord(recall, part) : part)))
  const question = nearest.join('')
  return question === text ? null : question
}

/** Below this length, the engine suggests no near words. */
const shortestWord = 4

async function nearestWord(recall: Pick<Recall, 'suggest'>, word: string): Promise<string> {
  if (word.length < shortestWord) return word
  const suggested = await recall.suggest(word)
  // Titles are suggested, too. A longer word that begins with this one is not a correction.
  const near = suggested.find(({ text }) => !/\s/.test(text))?.text
  return near === undefined || folded(near).startsWith(folded(word)) ? word : near
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
