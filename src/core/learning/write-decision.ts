/** The write filter: decides by the write score whether a record is stored. */
import { tuning } from '../model/tuning.ts'

/** Below 0.1 `filtered` (not stored), from 0.7 on `priority`, else `stored`. A record without a score is `stored`. */
export function writeDecision(writeScore: number | null): 'filtered' | 'stored' | 'priority' {
  if (writeScore === null) return 'stored'
  if (writeScore < tuning.writeScoreFloor) return 'filtered'
  return writeScore >= tuning.writeScorePriority ? 'priority' : 'stored'
}

/** The priority component of a composite score: the write score of a priority record, else 0. */
export function priorityOf(writeScore: number | null): number {
  return writeScore !== null && writeDecision(writeScore) === 'priority' ? writeScore : 0
}
