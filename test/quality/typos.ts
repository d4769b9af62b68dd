/**
 * What typing errors cost: nDCG@10 by words alone with one random edit in the rarest word of each question, with and without
 * correction, over several seeds. `npm run quality typos [set …]`.
 */
import { tokenise } from '../../src/core/text/tokenise/tokenise.ts'
import { writtenWords } from '../../src/core/text/tokenise/written-words.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import type { Dataset } from './datasets.ts'
import { mean } from './measures/metrics.ts'
import { openSet } from './open-set.ts'
import { judgedOf, scoreIds } from './measures/score-all.ts'

const seeds = [1, 2, 3]
/** Questions of each set, evenly spaced. */
const most = 400

export const typosHead = [
  '| set | questions | clean | typo, not corrected | typo, corrected | kept | seeds | corrected as meant |',
  '| --- | --: | --: | --: | --: | --: | --- | --: |',
].join('\n')

export async function typosLines(dataset: Dataset): Promise<string> {
  const rows = judgedOf(dataset, most)
  const records = recordsOfWords(dataset)
  const set = await openSet(dataset, 'words')
  const scoreOf = async (text: string, i: number, typos: 'auto' | 'off') => {
    const { hits, plan } = await set.ask(i, { text, typos })
    const ids = hits.map(({ id }) => id)
    return { score: scoreIds(dataset, i, ids), read: plan.read }
  }
  const clean = []
  for (const i of rows) clean.push((await scoreOf(dataset.questions[i]!.text, i, 'auto')).score)
  const figures = { off: [] as number[], auto: [] as number[] }
  let [meant, asked] = [0, 0]
  for (const seed of seeds) {
    const random = createRandom(seed)
    const scores = { off: [], auto: [] } as Record<'off' | 'auto', typeof clean>
    for (const i of rows) {
      const { text, word } = misspelt(dataset.questions[i]!.text, records, random)
      scores.off.push((await scoreOf(text, i, 'off')).score)
      const { score, read } = await scoreOf(text, i, 'auto')
      scores.auto.push(score)
      if (word === null) continue
      asked++
      if (read.some((reading) => reading.kind === 'typo' && reading.as === word)) meant++
    }
    for (const typos of ['off', 'auto'] as const) figures[typos].push(mean(scores[typos]).ndcg)
  }
  await set.close()
  const whole = mean(clean).ndcg
  const [off, auto] = [average(figures.off), average(figures.auto)]
  const cells = [
    dataset.name,
    rows.length,
    figure(whole),
    figure(off),
    figure(auto),
    percent(auto / whole),
    figures.auto.map((value) => percent(value / whole)).join(', '),
    percent(meant / asked),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The question with one edit in its rarest word of four letters or more that a document holds; `word`: that word. */
function misspelt(text: string, records: ReadonlyMap<string, number>, random: Random) {
  const words = tokenise(text).filter(({ word }) => /^[a-z]{4,}$/.test(word) && records.has(word))
  const [rarest] = words.sort((a, b) => records.get(a.word)! - records.get(b.word)! || a.from - b.from)
  if (rarest === undefined) return { text, word: null }
  return {
    text: text.slice(0, rarest.from) + edited(rarest.word, random) + text.slice(rarest.to),
    word: rarest.word,
  }
}

/** One letter left out, added or replaced, or two exchanged, anywhere in the word. */
function edited(word: string, random: Random): string {
  for (;;) {
    const at = random.below(word.length)
    const letter = random.pick([...'abcdefghijklmnopqrstuvwxyz'])
    const [before, after] = [word.slice(0, at), word.slice(at)]
    const changed = random.pick([
      before + after.slice(1),
      before + letter + after,
      before + letter + after.slice(1),
      before + (after[1] ?? '') + after[0]! + after.slice(2),
    ])
    if (changed !== word) return changed
  }
}

function recordsOfWords({ documents }: Dataset): ReadonlyMap<string, number> {
  const records = new Map<string, number>()
  for (const { title, text } of documents)
    for (const word of writtenWords([title, text])) records.set(word, (records.get(word) ?? 0) + 1)
  return records
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function figure(value: number): string {
  return value.toFixed(4).replace(/^0/, '')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
