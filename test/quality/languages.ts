/**
 * What naming its language gives to each language of a set: nDCG@10 by words alone and with the built-in embedder, in a store as it is by
 * default, and in one that names the language and so has its word forms and the table of other languages. Each language has stores of its
 * own. The questions of every second article were used to choose what `languages` does with words; the others were not looked at before.
 * `npm run quality languages`. `SCRUBJAY_LANGUAGES='de es'` limits the languages and prints each line at once.
 */
import { differenceOf, toCell } from './measures/bootstrap.ts'
import type { Dataset } from './datasets.ts'
import { mean, type Score } from './measures/metrics.ts'
import { openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'
import { languagesIn, translated, withLanguage } from './translated.ts'

const modes = ['words', 'built-in'] as const

export const languagesHead = [
  '| set | language | mode | questions | by default | named | difference, thousandths | questions used to choose | others |',
  '| --- | --- | --- | --: | --: | --: | --- | --: | --: |',
].join('\n')

export const acrossHead = [
  '| set | questions in | mode | questions | by default | named | difference, thousandths |',
  '| --- | --- | --- | --: | --: | --: | --- |',
].join('\n')

/** Sets without texts of other languages have no lines. */
export async function languagesLines(dataset: Dataset): Promise<string> {
  const lines: string[] = []
  const sums = new Sums()
  for (const tag of languagesIn(dataset)) {
    const own = withLanguage(dataset, tag)
    for (const mode of modes) {
      const rows = judgedOf(own)
      const before = await scores(own, rows, mode)
      const named = await scores(own, rows, mode, [tag])
      const part = (rest: number) => {
        const isIn = rows.map((i) => articleOf(own, i) % 2 === rest)
        const meanIn = (all: readonly Score[]) => mean(all.filter((_, i) => isIn[i])).ndcg
        return signed(meanIn(named) - meanIn(before))
      }
      sums.add(mode, before, named)
      lines.push(lineOf([dataset.name, tag, mode, rows.length], before, named, [part(0), part(1)]))
    }
  }
  return [...lines, ...sums.lines(dataset.name, 2)].join('\n')
}

/** Questions in each language against the English documents, in a store that names English and that language. */
export async function acrossLines(dataset: Dataset): Promise<string> {
  const lines: string[] = []
  const sums = new Sums()
  for (const tag of languagesIn(dataset)) {
    const across = translated(dataset, tag)
    if (across === null) continue
    for (const mode of modes) {
      const rows = judgedOf(across)
      const before = await scores(across, rows, mode)
      const named = await scores(across, rows, mode, ['en', tag])
      sums.add(mode, before, named)
      lines.push(lineOf([dataset.name, tag, mode, rows.length], before, named))
    }
  }
  return [...lines, ...sums.lines(dataset.name, 0)].join('\n')
}

/** The means over the languages of a set, each with the same weight. */
class Sums {
  readonly #means = new Map<string, (readonly [before: number, named: number])[]>()

  add(mode: string, before: readonly Score[], named: readonly Score[]): void {
    const means = this.#means.get(mode) ?? []
    this.#means.set(mode, [...means, [mean(before).ndcg, mean(named).ndcg]])
  }

  /** One line for each mode, with empty cells at its end; none for one language. */
  lines(name: string, empty: number): readonly string[] {
    return [...this.#means].flatMap(([mode, means]) => {
      if (means.length < 2) return []
      const [before, named] = [0, 1].map((k) => means.reduce((sum, pair) => sum + pair[k]!, 0) / means.length)
      const cells = [name, 'mean', mode, '', figure(before!), figure(named!), '', ...Array<string>(empty).fill('')]
      return [`| ${cells.join(' | ')} |`]
    })
  }
}

async function scores(
  dataset: Dataset,
  rows: readonly number[],
  mode: (typeof modes)[number],
  languages?: readonly string[],
): Promise<readonly Score[]> {
  const set = await openSet(dataset, mode, languages === undefined ? {} : { languages })
  const scored = await scoreAll(set, dataset, rows)
  await set.close()
  return scored
}

function lineOf(
  first: readonly (string | number)[],
  before: readonly Score[],
  named: readonly Score[],
  last: readonly string[] = [],
): string {
  const ndcg = (all: readonly Score[]) => all.map((score) => score.ndcg)
  const difference = toCell(differenceOf(ndcg(named), ndcg(before)))
  const line = `| ${[...first, figure(mean(before).ndcg), figure(mean(named).ndcg), difference, ...last].join(' | ')} |`
  if (process.env['SCRUBJAY_LANGUAGES'] !== undefined) console.log(line)
  return line
}

/** Number of the article that a question is about, from the id of a relevant document: `xde:12.3.4`, or of its paragraph. */
function articleOf({ questions, judgements }: Dataset, i: number): number {
  const [document = ''] = judgements.get(questions[i]!.id)?.keys() ?? []
  return Number(/:?(\d+)/.exec(document)?.[1] ?? 0)
}

function figure(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${figure(Math.abs(value))}`
}
