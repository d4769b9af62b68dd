/**
 * Prints figures of each kind of question: nDCG@10, the share of its evidence among the first 10 and 20 records, and how often all of
 * it is there. `+ i` and `+ p`: one of the 10 places is reserved for instructions or preferences, and comes last.
 */
import type { StandingKind } from '../../src/core/model/query.ts'
import type { Dataset } from './datasets.ts'
import { canAsk, type OpenSet, openSet } from './open-set.ts'
import { judgedOf, scoreIds } from './measures/score-all.ts'

const modes = ['words', 'built-in', 'minilm'] as const

const titles = ['nDCG@10', 'R@10', 'R@20', 'all@10', 'all@20', 'nDCG@10 + i', 'R@10 + i', 'nDCG@10 + p', 'R@10 + p']

export const kindsHead = [
  `| set | mode | kind | questions | evidence | ${titles.join(' | ')} |`,
  `|---|---|---|---|---|${'---|'.repeat(titles.length)}`,
].join('\n')

export async function kindsLines(dataset: Dataset): Promise<string> {
  if (dataset.questions.every(({ kind }) => kind === null)) return `| ${dataset.name} | names no kinds |`
  return (await measure(dataset))
    .map(({ mode, kind, questions, figures: [evidence = 0, ...shares] }) =>
      lineOf([dataset.name, mode, kind, `${questions}`, evidence.toFixed(1), ...shares.map(share)]),
    )
    .join('\n')
}

export const standingHead = [
  '| questions about | mode | nDCG@10 without | reserved | R@10 without | reserved |',
  '|---|---|---:|---:|---:|---:|',
].join('\n')

/** The kinds of questions of `beam-chat` that depend on a standing request, with a place reserved for its kind. */
export async function standingLines(dataset: Dataset): Promise<string> {
  const rows = await measure(dataset)
  const linesOf = (about: string, start: string, reserved: 'nDCG@10 + i' | 'nDCG@10 + p') =>
    rows
      .filter(({ kind }) => kind.startsWith(start))
      .map(({ mode, figures }) => {
        const at = titles.indexOf(reserved) + 1
        return lineOf([
          about,
          modeNames[mode],
          ...[figures[1]!, figures[at]!, figures[2]!, figures[at + 1]!].map(share),
        ])
      })
  return [
    ...linesOf('instructions', 'instruction', 'nDCG@10 + i'),
    ...linesOf('preferences', 'preference', 'nDCG@10 + p'),
  ].join('\n')
}

const modeNames = { words: 'words', minilm: 'MiniLM', 'built-in': 'built-in' } as const

interface Row {
  readonly mode: keyof typeof modeNames
  readonly kind: string
  readonly questions: number
  /** The mean number of relevant records, then the columns of `titles`. */
  readonly figures: readonly number[]
}

async function measure(dataset: Dataset): Promise<readonly Row[]> {
  const measured: Row[] = []
  for (const mode of modes.filter((one) => canAsk(dataset, one))) {
    const set = await openSet(dataset, mode)
    const byKind = new Map<string, number[][]>()
    for (const i of judgedOf(dataset)) {
      const figures = await figuresOf(set, dataset, i)
      for (const kind of [dataset.questions[i]!.kind ?? '–', 'all'])
        byKind.set(kind, [...(byKind.get(kind) ?? []), figures])
    }
    await set.close()
    for (const [kind, rows] of byKind) {
      const figures = rows[0]!.map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length)
      measured.push({ mode, kind, questions: rows.length, figures })
    }
  }
  return measured
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** The number of relevant records, then the columns of the table. */
async function figuresOf(set: OpenSet, dataset: Dataset, i: number): Promise<number[]> {
  const grades = dataset.judgements.get(dataset.questions[i]!.id) ?? new Map<string, number>()
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  const ids = (await set.ask(i, { limit: 20 })).hits.map(({ id }) => id)
  const found = (among: readonly string[]) => relevant.filter((id) => among.includes(id)).length / relevant.length
  const [first, second] = [found(ids.slice(0, 10)), found(ids)]
  const figures = [scoreIds(dataset, i, ids).ndcg, first, second, Math.floor(first), Math.floor(second)]
  for (const kind of ['instruction', 'preference'] satisfies StandingKind[]) {
    const { hits, reserved = [] } = await set.ask(i, { limit: 10, reserve: { kind, places: 1 } })
    const ranked = hits.map(({ id }) => id)
    const added = reserved.map(({ id }) => id).filter((id) => !ranked.slice(0, 10 - reserved.length).includes(id))
    const { ndcg, recall } = scoreIds(dataset, i, [...ranked.slice(0, 10 - added.length), ...added])
    figures.push(ndcg, recall)
  }
  return [relevant.length, ...figures]
}

function share(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}
