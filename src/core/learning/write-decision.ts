/** The write filter: whether a record is worth storing, by the score its writer gave it. */
import { tuning } from '../model/tuning.ts'

/** Below 0.1 `filtered` (not stored), from 0.7 on `priority`, else `stored`; a record without a score is `stored`. */
export function writeDecision(writeScore: number | null): 'filtered' | 'stored' | 'priority' {
  if (writeScore === null) return 'stored'
  if (writeScore < tuning.writeScoreFloor) return 'filtered'
  return writeScore >= tuning.writeScorePriority ? 'priority' : 'stored'
}

/** What the priority arm of a composite score holds: the write score of a record of priority, else nothing. */
export function priorityOf(writeScore: number | null): number {
  return writeScore !== null && writeDecision(writeScore) === 'priority' ? writeScore : 0
}
