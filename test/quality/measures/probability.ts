/**
 * Fits and judges the probability of evidence (docs/quality.md#probability): `npx tsx test/quality/measures/probability.ts [mix …] [set … | across]`. Asks
 * questions that a set answers, the same ones with the answers removed, those of other domains, and those that a set marks as unanswerable.
 * Prints for each mix of channels the curve that fits all sets, and for each set what the curve of those with other texts says of it: the mean
 * probability of questions with and without an answer, the Brier score (.25 for a constant .5), and the calibration error.
 */
import { readFileSync } from 'node:fs'
import { strangeQuestions } from '../abstention.ts'
import { dataFolder, type Dataset, datasetNames, loadDataset } from '../datasets.ts'
import { canAsk, type Mode, openSet } from '../open-set.ts'
import { languagesIn, translated } from '../translated.ts'

/** Questions of each kind and set, evenly spaced. */
const most = 80
const marked = ['locomo-adv', 'clinc-oos', 'clapnq-un', 'cosqa-code']
const modes = {
  wordsAlone: ['words'],
  wordsAndMeaning: ['built-in', 'minilm'],
  meaningAlone: ['built-in alone'],
} as const

/** `x`: log odds that the present curve gives. `weight`: all of a set sum to 1, half of it for questions with an answer. */
interface Sample {
  readonly set: string
  readonly x: number
  readonly isAnswered: boolean
  readonly weight: number
}

const names = process.argv.slice(2)
const isNamed = (some: readonly string[], name: string) =>
  !names.some((one) => some.includes(one)) || names.includes(name)
const sets = [...datasetNames, ...marked].filter((name, _, all) => isNamed([...all, 'across'], name))
for (const [mix, ofMix] of Object.entries(modes)) {
  if (!isNamed(Object.keys(modes), mix)) continue
  const samples: Sample[] = []
  for (const name of sets)
    for (const mode of ofMix) {
      const dataset = loadDataset(name)
      if (dataset !== null && canAsk(dataset, mode)) samples.push(...(await sample(dataset, mode)))
    }
  if (samples.length > 0) report(mix, samples)
}
const parallel = names.length === 0 || names.includes('across') ? loadDataset('xquad-sent') : null
if (parallel !== null) {
  const samples: Sample[] = []
  for (const tag of languagesIn(parallel)) samples.push(...(await sampleAcross(parallel, tag)))
  report('acrossLanguages', samples)
}

function report(mix: string, samples: readonly Sample[]): void {
  const [at, slope] = fit(samples)
  console.log(`\n${mix}: log odds ${at.toFixed(3)} + ${slope.toFixed(3)} × those of the present curve`)
  console.log('| set | with an answer | without | Brier | calibration error |\n|---|---:|---:|---:|---:|')
  for (const set of new Set(samples.map((one) => one.set))) {
    const curve = fit(samples.filter((one) => textsOf(one.set) !== textsOf(set)))
    console.log(
      `| ${[
        set,
        ...judge(
          samples.filter((one) => one.set === set),
          curve,
        ),
      ].join(' | ')} |`,
    )
  }
}

async function sample(dataset: Dataset, mode: Mode): Promise<readonly Sample[]> {
  const set = await openSet(dataset, mode)
  const ask = async (i: number, asked: object = {}) => {
    const { evidence } = await set.ask(i, { limit: 10, ...asked })
    return evidence.across === undefined ? [logOdds(evidence.probability)] : []
  }
  const unanswerable = markedIn(dataset.name)
  const judged = evenly([...dataset.questions.keys()].filter((i) => relevantTo(dataset, i).length > 0))
  const answered: number[] = []
  const removed: number[] = []
  for (const i of judged) {
    answered.push(...(await ask(i)))
    if (unanswerable.size > 0) continue
    await set.without(relevantTo(dataset, i), async () => void removed.push(...(await ask(i))))
  }
  const others: number[] = []
  if (unanswerable.size > 0)
    for (const i of evenly([...dataset.questions.keys()].filter((i) => unanswerable.has(dataset.questions[i]!.id))))
      others.push(...(await ask(i)))
  else for (const { i, asked } of evenly(strangeQuestions(dataset, mode, most))) others.push(...(await ask(i, asked)))
  await set.close()
  const label = `${dataset.name}, ${mode}`
  const samplesOf = (xs: readonly number[], isAnswered: boolean, share: number) =>
    xs.map((x) => ({ set: label, x, isAnswered, weight: share / xs.length }))
  const half = removed.length > 0 ? 0.25 : 0.5
  return [...samplesOf(answered, true, 0.5), ...samplesOf(removed, false, 0.25), ...samplesOf(others, false, half)]
}

/** Questions in one language over sentences of every second article in English. */
async function sampleAcross(dataset: Dataset, tag: string): Promise<readonly Sample[]> {
  const across = translated(dataset, tag)
  if (across === null) return []
  const documents = across.documents.filter(({ id }) => isIn(id))
  const set = await openSet({ ...across, documents }, 'built-in', { languages: [tag, 'en'] })
  const judged = [...across.questions.keys()].filter((i) => relevantTo(across, i).length > 0)
  const ask = async (i: number) => {
    const { evidence } = await set.ask(i, { limit: 10 })
    return evidence.across === undefined ? [] : [logOdds(evidence.probability)]
  }
  const xs: Record<'answered' | 'removed' | 'others', number[]> = { answered: [], removed: [], others: [] }
  for (const i of evenly(judged.filter((i) => isIn(relevantTo(across, i)[0]!)))) {
    xs.answered.push(...(await ask(i)))
    await set.without(relevantTo(across, i), async () => void xs.removed.push(...(await ask(i))))
  }
  for (const i of evenly(judged.filter((i) => !isIn(relevantTo(across, i)[0]!)))) xs.others.push(...(await ask(i)))
  await set.close()
  const shares = { answered: 0.5, removed: 0.25, others: 0.25 }
  return Object.entries(xs).flatMap(([kind, values]) =>
    values.map((x) => ({
      set: `questions in ${tag}`,
      x,
      isAnswered: kind === 'answered',
      weight: shares[kind as keyof typeof shares] / values.length,
    })),
  )
}

/** Whether the document is of an article that is in the store. */
function isIn(document: string): boolean {
  return Number(/:(\d+)/.exec(document)?.[1] ?? 0) % 2 === 0
}

/** Sets with this in common have the same texts. */
function textsOf(set: string): string {
  return /^locomo|^[^,]+/.exec(set)![0]
}

function markedIn(name: string): ReadonlySet<string> {
  if (!marked.includes(name)) return new Set()
  const lines = readFileSync(`${dataFolder}/${name}/queries.jsonl`, 'utf8').trim().split('\n')
  return new Set(lines.map((line) => JSON.parse(line)).flatMap(({ id, meta }) => (meta?.unanswerable ? [id] : [])))
}

function relevantTo({ questions, judgements }: Dataset, i: number): readonly string[] {
  return [...(judgements.get(questions[i]!.id) ?? [])].flatMap(([id, grade]) => (grade > 0 ? [id] : []))
}

function evenly<T>(all: readonly T[]): readonly T[] {
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, k) => all[Math.floor((k * all.length) / most)] as T)
}

/** Newton's method for the weighted likelihood. */
function fit(samples: readonly Sample[]): readonly [number, number] {
  let [a, b] = [0, 1]
  for (let round = 0; round < 40; round++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 1e-9, 0, 1e-9]
    for (const { x, isAnswered, weight } of samples) {
      const p = 1 / (1 + Math.exp(-a - b * x))
      const [error, spread] = [weight * (Number(isAnswered) - p), weight * p * (1 - p)]
      ga += error
      gb += error * x
      haa += spread
      hab += spread * x
      hbb += spread * x * x
    }
    const determinant = haa * hbb - hab * hab
    a += (hbb * ga - hab * gb) / determinant
    b += (haa * gb - hab * ga) / determinant
  }
  return [a, b]
}

function judge(samples: readonly Sample[], [a, b]: readonly [number, number]): readonly string[] {
  const all = samples.map(({ x, isAnswered, weight }) => ({ p: 1 / (1 + Math.exp(-a - b * x)), isAnswered, weight }))
  const mean = (some: typeof all, of: (one: (typeof all)[number]) => number) =>
    some.reduce((sum, one) => sum + one.weight * of(one), 0) / some.reduce((sum, { weight }) => sum + weight, 0)
  const bins = Array.from({ length: 5 }, (_, k) => all.filter(({ p }) => Math.min(4, Math.floor(p * 5)) === k))
  const error = bins
    .filter((bin) => bin.length > 0)
    .reduce((sum, bin) => {
      const share = bin.reduce((total, { weight }) => total + weight, 0)
      return sum + share * Math.abs(mean(bin, ({ p }) => p) - mean(bin, ({ isAnswered }) => Number(isAnswered)))
    }, 0)
  return [
    mean(
      all.filter(({ isAnswered }) => isAnswered),
      ({ p }) => p,
    ),
    mean(
      all.filter(({ isAnswered }) => !isAnswered),
      ({ p }) => p,
    ),
    mean(all, ({ p, isAnswered }) => (p - Number(isAnswered)) ** 2),
    error,
  ].map((value) => value.toFixed(3))
}

function logOdds(probability: number): number {
  const p = Math.min(0.9995, Math.max(0.0005, probability))
  return Math.log(p / (1 - p))
}
