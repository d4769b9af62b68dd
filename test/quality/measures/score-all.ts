/** Asks an open set its judged questions, each in its own scope, and scores the answers. */
import type { Dataset } from '../datasets.ts'
import { type Score, scoreRanking } from './metrics.ts'
import type { AskOptions, OpenSet } from '../open-set.ts'

/** Rows of the questions that have a relevant document; of more than `most`, that many, evenly spaced. */
export function judgedOf({ questions, judgements }: Dataset, most = Number.POSITIVE_INFINITY): readonly number[] {
  const judged = questions.flatMap(({ id }, i) =>
    [...(judgements.get(id)?.values() ?? [])].some((grade) => grade > 0) ? [i] : [],
  )
  if (judged.length <= most) return judged
  return Array.from({ length: most }, (_, k) => judged[Math.floor((k * judged.length) / most)]!)
}

/** A score for each of `rows`, in their order. */
export async function scoreAll(
  set: OpenSet,
  dataset: Dataset,
  rows: readonly number[],
  asked?: AskOptions,
): Promise<readonly Score[]> {
  const scores: Score[] = []
  for (const i of rows) {
    const { hits } = await set.ask(i, asked)
    scores.push(
      scoreIds(
        dataset,
        i,
        hits.map(({ id }) => id),
      ),
    )
  }
  return scores
}

export function scoreIds({ questions, judgements }: Dataset, i: number, ids: readonly string[]): Score {
  return scoreRanking(ids, judgements.get(questions[i]?.id ?? '') ?? new Map())
}
