/**
 * Measures what each part of `balanced` is worth: every set with one part changed at a time. A cell is nDCG@10 of the
 * change minus that of the shipped literal, in thousandths, with its paired 95 % interval.
 */
import { type Difference, differenceOf, toCell } from './measures/bootstrap.ts'
import { type Change, changes } from './changes.ts'
import type { Dataset } from './datasets.ts'
import { canAsk, openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'

/** Questions per set; of the large sets every n-th is asked. */
export const asked = 300

export const ablationModes = ['minilm', 'minilm chunks', 'words'] as const
export type AblationMode = (typeof ablationModes)[number]

export interface Column<T> {
  readonly name: string
  readonly questions: number
  readonly shipped: number
  readonly differences: ReadonlyMap<T, Difference>
}

/** One table: a line per change, a column per set. Sets without the mode's vectors are left out. */
export const ablationTable = tableMaker(changes, measure)

interface Line {
  readonly part: string
  readonly to: string
  readonly needsVectors: boolean
}

/** Measures set by set what each line changes. */
export function tableMaker<T extends Line>(
  lines: readonly T[],
  measureSet: (dataset: Dataset, mode: AblationMode, tried: readonly T[]) => Promise<Column<T>>,
): (datasets: Iterable<Dataset>, mode: AblationMode) => Promise<string> {
  return async (datasets, mode) => {
    const tried = lines.filter(({ needsVectors }) => mode !== 'words' || !needsVectors)
    const columns: Column<T>[] = []
    for (const dataset of datasets) {
      if (!canAsk(dataset, mode)) continue
      columns.push(await measureSet(dataset, mode, tried))
      process.stderr.write(`${dataset.name}, ${mode}: done\n`)
    }
    return tableOf(tried, columns)
  }
}

/** A line for each change, a column for each set. */
function tableOf<T extends Line>(tried: readonly T[], columns: readonly Column<T>[]): string {
  const rows = [
    ['shipped', '', ...columns.map(({ shipped }) => shipped.toFixed(3).replace(/^0/, '')), '', ''],
    ...tried.map((change) => lineOf(change, columns)),
  ]
  return [
    `| part | changed to | ${columns.map(({ name, questions }) => `${name} (${questions})`).join(' | ')} | clearly better · worse | mean |`,
    `|---|---|${'---|'.repeat(columns.length + 2)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')
}

async function measure(dataset: Dataset, mode: AblationMode, tried: readonly Change[]): Promise<Column<Change>> {
  const rows = judgedOf(dataset, asked)
  const set = await openSet(dataset, mode)
  const ndcgOf = async (change?: Change) => (await scoreAll(set, dataset, rows, change?.asked)).map(({ ndcg }) => ndcg)
  const shipped = await ndcgOf()
  const differences = new Map<Change, Difference>()
  for (const change of tried) differences.set(change, differenceOf(await ndcgOf(change), shipped))
  await set.close()
  const mean = shipped.reduce((sum, ndcg) => sum + ndcg, 0) / shipped.length
  return { name: dataset.name, questions: rows.length, shipped: mean, differences }
}

function lineOf<T extends Line>(change: T, columns: readonly Column<T>[]): readonly string[] {
  const differences = columns.map((column) => column.differences.get(change)!)
  const better = differences.filter(({ isClear, mean }) => isClear && mean > 0).length
  const worse = differences.filter(({ isClear, mean }) => isClear && mean < 0).length
  const mean = differences.reduce((sum, difference) => sum + difference.mean, 0) / differences.length
  return [
    change.part,
    change.to,
    ...differences.map(toCell),
    `${better} · ${worse}`,
    (1000 * mean).toFixed(1).replace('-', '−'),
  ]
}
