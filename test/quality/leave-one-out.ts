/**
 * Judges each set by a policy that was tuned without it. The search begins with textbook values (BM25 1.2 / .75, an even sum of words and
 * cosine, no pairs, no neighbours) and goes through the parts of the policy twice: of each part it takes the value with the best
 * mean over the other sets. Sets of the same data are left out together. Words and hybrid count equally.
 */
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { differenceOf, toCell } from './measures/bootstrap.ts'
import { type Dataset, folderOf } from './datasets.ts'
import { type Mode, type OpenSet, openSet } from './open-set.ts'
import { runPlain } from './measures/plain-runs.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'
import { parts, textbook } from './tuned-parts.ts'

/** Questions per set; of larger sets every n-th is asked. */
const asked = 100
const passes = 2

interface Measured {
  readonly dataset: Dataset
  readonly set: OpenSet
  readonly rows: readonly number[]
  readonly modes: readonly Mode[]
  /** Scores of the questions by policy and mode. */
  readonly known: Map<string, readonly number[]>
}

/** The whole table. `datasets` are all open at once. */
export async function leaveOneOutTable(datasets: readonly Dataset[]): Promise<string> {
  const sets: Measured[] = []
  for (const dataset of datasets) {
    const modes: readonly Mode[] = dataset.minilm === null ? ['words'] : ['words', 'minilm']
    const set = await openSet(dataset, modes.at(-1)!)
    sets.push({ dataset, set, rows: judgedOf(dataset, asked), modes, known: new Map() })
  }
  const lines: string[] = []
  for (const group of groupsOf(sets)) {
    const others = sets.filter((set) => !group.includes(set))
    const { policy, chosen } = await tune(others)
    for (const set of group) lines.push(...(await linesOf(set, policy)))
    process.stderr.write(`without ${group.map(({ dataset }) => dataset.name).join(', ')}: ${chosen.join(', ')}\n`)
  }
  for (const { set } of sets) await set.close()
  return [
    '| set | questions | mode | BM25, or its even mix with cosine | textbook | tuned without it | shipped | tuned without it − textbook | shipped − tuned without it |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** Sets that share their documents: tuning on one of them would know the other. */
function groupsOf(sets: readonly Measured[]): readonly (readonly Measured[])[] {
  const groups = new Map<string, Measured[]>()
  for (const set of sets) {
    const folder = folderOf(set.dataset.name)
    groups.set(folder, [...(groups.get(folder) ?? []), set])
  }
  return [...groups.values()]
}

async function tune(sets: readonly Measured[]): Promise<{ policy: ConvexPolicy; chosen: readonly string[] }> {
  const labels = parts.map(({ values }) => values[0]!.label)
  let policy = textbook
  let best = await objectiveOf(sets, policy)
  for (let pass = 0; pass < passes; pass++) {
    for (const [p, { values }] of parts.entries()) {
      for (const { label, apply } of values) {
        if (label === labels[p]) continue
        const tried = apply(policy)
        const objective = await objectiveOf(sets, tried)
        if (objective <= best) continue
        best = objective
        policy = tried
        labels[p] = label
      }
    }
  }
  return { policy, chosen: parts.map(({ name }, p) => `${name} ${labels[p]}`) }
}

/** The mean over groups of the mean over their sets and modes. */
async function objectiveOf(sets: readonly Measured[], policy: ConvexPolicy): Promise<number> {
  const groups = groupsOf(sets)
  let sum = 0
  for (const group of groups) {
    const means: number[] = []
    for (const set of group) for (const mode of set.modes) means.push(meanOf(await scoresOf(set, mode, policy)))
    sum += meanOf(means)
  }
  return sum / groups.length
}

async function scoresOf(
  { set, dataset, rows, known }: Measured,
  mode: Mode,
  policy: ConvexPolicy,
): Promise<readonly number[]> {
  const key = `${mode} ${JSON.stringify(policy)}`
  const before = known.get(key)
  if (before !== undefined) return before
  const scores = (await scoreAll(set, dataset, rows, { policy, as: mode })).map(({ ndcg }) => ndcg)
  known.set(key, scores)
  return scores
}

async function linesOf(measured: Measured, policy: ConvexPolicy): Promise<readonly string[]> {
  const { dataset, rows, modes } = measured
  const baselines = runPlain(dataset, rows).runs
  const lines: string[] = []
  for (const mode of modes) {
    const plain = await scoresOf(measured, mode, textbook)
    const without = await scoresOf(measured, mode, policy)
    const shipped = await scoresOf(measured, mode, policies.balanced)
    const baseline = baselines.get(mode === 'words' ? 'BM25' : 'convex, even')!.map(({ ndcg }) => ndcg)
    const cells = [meanOf(baseline), meanOf(plain), meanOf(without), meanOf(shipped)].map((mean) =>
      mean.toFixed(3).replace(/^0/, ''),
    )
    lines.push(
      `| ${dataset.name} | ${rows.length} | ${mode} | ${cells.join(' | ')} | ${toCell(differenceOf(without, plain))} | ${toCell(differenceOf(shipped, without))} |`,
    )
  }
  return lines
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
