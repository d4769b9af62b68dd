/**
 * How often evidence is wrong for questions in one language over documents in another, in stores of the documents of every second article
 * that name both languages, by the built-in embedder. False abstention: a question that a document answers gets `none`. False answers: it
 * gets more, although its documents are left out; or it is about one of the other articles. `npm run quality evidence`.
 *
 * `left out` are the figures of the least support for `weak` that pairs without the two languages choose: that at which they have as many
 * false abstentions as false answers about other articles.
 */
import { evidenceOf } from '../../src/core/evidence/evidence.ts'
import { policies } from '../../src/core/policies/policies.ts'
import type { CapturedFacts } from '../../src/core/replay.ts'
import type { Dataset } from './datasets.ts'
import { type OpenSet, openSet } from './open-set.ts'
import { languagesIn, withLanguage } from './translated.ts'

/** Questions of each kind, evenly spaced. */
const most = 150

const thresholds = policies.balanced.evidence
const own = thresholds.acrossLanguages!
/** Values of `weak` among which the others choose. */
const grid = Array.from({ length: 41 }, (_, i) => own.weak + (i - 20) * 0.025)

/** Two tables in percent, a column for the language of the documents, a line for that of the questions; and means. Of sets of one language nothing. */
export async function evidenceTables(dataset: Dataset): Promise<string> {
  const tags = languagesIn(dataset)
  if (tags.length < 2) return ''
  const pairs: Pair[] = []
  for (const documents of tags) for (const asked of tags) pairs.push(await measure(dataset, documents, asked))
  const tableOf = (cellOf: (pair: Pair) => string) =>
    [
      `| questions in | ${tags.join(' | ')} |`,
      `|---|${'---:|'.repeat(tags.length)}`,
      ...tags.map((asked) => `| ${[asked, ...pairs.filter((pair) => pair.asked === asked).map(cellOf)].join(' | ')} |`),
    ].join('\n')
  const both = (own: number, leftOut: number | null) =>
    [own, ...(leftOut === null ? [] : [leftOut])].map(percent).join(' / ')
  const figures = new Map(pairs.map((pair) => [pair, figuresOf(pair, pairs)]))
  return [
    tableOf((pair) => both(figures.get(pair)!.falseNone, figures.get(pair)!.falseNoneLeftOut)),
    tableOf((pair) => both(figures.get(pair)!.falseAnswers, figures.get(pair)!.falseAnswersLeftOut)),
    ...[false, true].map((isAcross) => {
      const all = pairs
        .filter(({ documents, asked }) => (documents !== asked) === isAcross)
        .map((pair) => figures.get(pair)!)
      const means = Object.keys(all[0]!).map((key) => {
        const values = all.flatMap((each) => each[key as keyof typeof each] ?? [])
        return `${key} ${values.length === 0 ? '–' : percent(mean(values))}`
      })
      return `Means of ${all.length} pairs of ${isAcross ? 'two languages' : 'one language'}, in percent: ${means.join(', ')}`
    }),
  ].join('\n\n')
}

interface Pair {
  readonly documents: string
  readonly asked: string
  readonly inside: readonly Answered[]
  readonly without: readonly Answered[]
  readonly outside: readonly Answered[]
}

interface Answered {
  readonly isRight: boolean
  readonly isStrong: boolean
  readonly isNone: boolean
  /** For each value of the grid. */
  readonly isNoneAt: readonly boolean[]
}

async function measure(dataset: Dataset, documents: string, asked: string): Promise<Pair> {
  const questions = withLanguage(dataset, asked).questions.map((question) => ({ ...question, scope: documents }))
  const relevant = questions.map(({ id }) => [
    ...(dataset.judgements.get(id.replace(/^x[a-z]+:/, `x${documents}:`))?.keys() ?? []),
  ])
  const half = withLanguage(dataset, documents).documents.filter(({ id }) => isIn(id))
  const languages = [...new Set([documents, asked])]
  const set = await openSet({ ...dataset, documents: half, questions, minilm: null }, 'built-in', { languages })
  const ask = (i: number) => answered(set, i, relevant[i]!)
  const judged = [...questions.keys()].filter((i) => relevant[i]!.length > 0)
  const inside: Answered[] = []
  const without: Answered[] = []
  for (const i of evenly(judged.filter((i) => isIn(relevant[i]![0]!)))) {
    inside.push(await ask(i))
    await set.without(relevant[i]!, async () => void without.push(await ask(i)))
  }
  const outside: Answered[] = []
  for (const i of evenly(judged.filter((i) => !isIn(relevant[i]![0]!)))) outside.push(await ask(i))
  await set.close()
  return { documents, asked, inside, without, outside }
}

async function answered(set: OpenSet, i: number, relevant: readonly string[]): Promise<Answered> {
  const { hits, evidence, facts: captured } = await set.ask(i, { limit: 1, capture: true })
  const { facts, plan } = captured as CapturedFacts
  const [first] = hits
  const best = first && { row: facts.candidates.ids.indexOf(first.id), score: first.score, at: 0, id: first.id }
  const at = (weak: number) =>
    evidenceOf(
      facts,
      { first: best, second: undefined, typed: plan.typed },
      { ...thresholds, acrossLanguages: { ...own, weak } },
    ).strength
  return {
    isRight: first !== undefined && relevant.includes(first.id),
    isStrong: evidence.strength === 'strong',
    isNone: evidence.strength === 'none',
    isNoneAt: grid.map((weak) => at(weak) === 'none'),
  }
}

function figuresOf({ documents, asked, inside, without, outside }: Pair, pairs: readonly Pair[]) {
  const right = inside.filter(({ isRight }) => isRight)
  const isAcross = documents !== asked
  const isOf = (one: string) => one === documents || one === asked
  const others = pairs.filter((pair) => pair.documents !== pair.asked && !isOf(pair.documents) && !isOf(pair.asked))
  const chosen = isAcross && others.length > 0 ? chooseBy(others) : null
  return {
    rightFirst: share(inside, ({ isRight }) => isRight),
    falseNone: share(inside, ({ isNone }) => isNone),
    falseNoneLeftOut: chosen === null ? null : share(inside, ({ isNoneAt }) => isNoneAt[chosen]!),
    falseNoneOfRightFirst: share(right, ({ isNone }) => isNone),
    falseAnswers: share(outside, ({ isNone }) => !isNone),
    falseAnswersLeftOut: chosen === null ? null : share(outside, ({ isNoneAt }) => !isNoneAt[chosen]!),
    falseAnswersWithout: share(without, ({ isNone }) => !isNone),
    strongInside: share(inside, ({ isStrong }) => isStrong),
    strongOutside: share(outside, ({ isStrong }) => isStrong),
  }
}

function percent(value: number): string {
  return (100 * value).toFixed(0)
}

/** The place in the grid at which the two errors of these pairs are most nearly equal. */
function chooseBy(pairs: readonly Pair[]): number {
  const difference = (i: number) =>
    Math.abs(
      mean(pairs.map(({ inside }) => share(inside, ({ isNoneAt }) => isNoneAt[i]!))) -
        mean(pairs.map(({ outside }) => share(outside, ({ isNoneAt }) => !isNoneAt[i]!))),
    )
  return [...grid.keys()].reduce((best, i) => (difference(i) < difference(best) ? i : best))
}

/** Whether the document is of an article that is in the store. */
function isIn(document: string): boolean {
  return Number(/:(\d+)/.exec(document)?.[1] ?? 0) % 2 === 0
}

function evenly<T>(all: readonly T[]): readonly T[] {
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, k) => all[Math.floor((k * all.length) / most)] as T)
}

function share(all: readonly Answered[], is: (one: Answered) => boolean): number {
  return all.length === 0 ? 0 : all.filter(is).length / all.length
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
