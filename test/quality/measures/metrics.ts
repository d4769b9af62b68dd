/** Retrieval metrics as trec_eval and BEIR compute them: linear gain, averaged over questions with a relevant document. */

export interface Scores {
  readonly ndcg: number
  readonly recall: number
  readonly questions: number
}

/** Of one question. */
export interface Score {
  readonly ndcg: number
  readonly recall: number
}

/** nDCG@10 and Recall@10 of one ranking. */
export function scoreRanking(ids: readonly string[], grades: ReadonlyMap<string, number>): Score {
  const top = ids.slice(0, 10)
  const gain = top.reduce((sum, id, i) => sum + Math.max(0, grades.get(id) ?? 0) / Math.log2(i + 2), 0)
  const relevant = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  const ideal = relevant.slice(0, 10).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0)
  return { ndcg: gain / ideal, recall: top.filter((id) => (grades.get(id) ?? 0) > 0).length / relevant.length }
}

export function mean(scores: readonly Score[]): Scores {
  const questions = scores.length
  const average = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0) / questions
  return { ndcg: average((score) => score.ndcg), recall: average((score) => score.recall), questions }
}
