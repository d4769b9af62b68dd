/**
 * Reads what a chat turn is: a statement, a question, or small talk. A question or small talk states no fact, so a context never holds them in
 * the place of one [H6]. Reads spelling, not meaning. Takes linear time.
 */
import type { StoredRecord } from '../model/record.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { saidWording, smallTalk } from './wording.ts'

export interface Speaker {
  /** `user`, `assistant` or another word. */
  readonly role: string
  /** Null if only the role is known. */
  readonly name: string | null
}

/** Who said a record; null if it is not a turn of a chat. */
export function speakerOf({
  kind,
  title,
  metadata: { role },
}: Pick<StoredRecord, 'kind' | 'title' | 'metadata'>): Speaker | null {
  if (typeof role === 'string' && role !== '') return { role, name: title }
  return kind === 'turn' && title !== null ? { role: title, name: null } : null
}

export type Utterance = 'statement' | 'question' | 'small talk'

export function utteranceOf(text: string): Utterance {
  if (text.length > maxCharacters) return 'statement'
  if (isSmallTalk(text)) return 'small talk'
  const sentences = text.split(sentenceEnd).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  const says = sentences.some((sentence) => !isQuestion(sentence) && !isSmallTalk(sentence))
  return says ? 'statement' : 'question'
}

/** A longer turn says something besides what it asks. */
const maxCharacters = 1_000
const maxWords = 12
const sentenceEnd = /(?<=[.!?…])\s+|\n+/

/** Whether a text only greets, thanks, agrees or asks how things are. */
export function isSmallTalk(text: string): boolean {
  const words = wordsOf(text)
  if (words.length > maxWords) return false
  const { courtesies } = saidWording()
  if (words.every((word) => courtesies.has(word))) return true
  const met = smallTalk.exec(words.join(' '))
  return met !== null && words.length - met[0].split(' ').length <= mostOtherWords
}

/** Words besides the small talk of a turn: "Can you help me with something?" */
const mostOtherWords = 3

function isQuestion(sentence: string): boolean {
  if (/\?\W*$/.test(sentence)) return !asserts(sentence)
  const [first = '', second = ''] = wordsOf(sentence.slice(0, longestBeginning))
  const { interrogatives, self } = saidWording()
  return /[^.!]$/.test(sentence.trim()) && interrogatives.has(first) && !self.has(second) && askedFirst.test(sentence)
}

/** A statement before what is asked: "I have celiac disease, what can I eat?" */
function asserts(sentence: string): boolean {
  const cut = sentence.lastIndexOf(',')
  if (cut < 0) return false
  const words = wordsOf(sentence.slice(0, cut))
  const { self, interrogatives } = saidWording()
  return words.length > 2 && self.has(words[0]!) && !interrogatives.has(words[0]!)
}

const longestBeginning = 80
const askedFirst =
  /^\W*(?:what|which|who|whose|when|where|why|how|was|wer|wann|wo|warum|wieso|wie|welche|que|quel|quelle|qui|quand|pourquoi|comment|combien|cual|quien|cuando|donde|che|chi|quando|dove|wat|wie|wanneer|waar|hoe|qual|quem|onde)\b/i

/** Folded words, in their order. */
export function wordsOf(text: string): readonly string[] {
  return tokenise(text).map(({ word }) => word)
}
