/** Words of a question that no record has: whether one is a name, and which near words records have instead. */
import type { Hit, Reading, Recall } from 'scrubjay'

/**
 * Whether a word that no record has is probably a name: short, and with a capital inside the sentence. What is found for the corrected word, as
 * “parts” for “Parzts”, or for the other words alone, is then no answer. `hits`: those of a question whose words were all looked for.
 */
export function lacksName(text: string, read: readonly Reading[], hits: readonly Pick<Hit, 'record'>[]): boolean {
  if (read.some((one) => one.kind === 'typo' && isName.test(one.text) && !text.trimStart().startsWith(one.text)))
    return true
  const names = Array.from(text.trim().matchAll(/\p{L}+/gu), ([word], i) => (i > 0 && isName.test(word) ? word : ''))
  const held = folded(hits.map(({ record }) => `${record.title ?? ''} ${record.body ?? ''}`).join(' '))
  return names.some((name) => name !== '' && !held.includes(folded(name)))
}

const isName = /^\p{Lu}\p{Ll}{3,5}$/u

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
