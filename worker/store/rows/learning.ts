/** The learning port over SQLite: combines the SQL of each subject and collects the changes of one transaction. */
import { isReported } from '../../../src/core/merge/reports.ts'
import type { Stamp } from '../../../src/core/merge/stamp.ts'
import type { Database } from '../../sqlite/database.ts'
import type { Learning, LearningChanges } from '../port/learning.ts'
import { eventsSince, type NewEvent } from './event-rows.ts'
import { readGivenCycles, readLearned } from './learned/learned-rows.ts'
import { contradictionsByRevision, settleContradictions, writeContradiction } from './learned/contradiction-rows.ts'
import { readLinks, readWeight, setLink, strengthenLink, weakenRows } from './learned/link-rows.ts'
import { isOperationDone, rememberOperation } from './operation-rows.ts'
import { readErrors, readOpenPrediction, writePrediction, writeResolution } from './learned/prediction-rows.ts'
import { endExpired, readProposals, removeProposals, writeProposal } from './learned/proposal-rows.ts'
import { readReports, tellReports } from './learned/report-rows.ts'

/** `revision`: the revision that is committed. Contradictions are read once in each. */
export function createLearning(database: Database, revision: () => number): Learning {
  return {
    stateOf: (key) => readLearned(database, key),
    givenCycles: (key) => readGivenCycles(database, key),
    linksOf: (key) => readLinks(database, key),
    weightOf: (a, b) => readWeight(database, a, b),
    predictionErrors: (filter) => readErrors(database, filter),
    proposals: (scope, after) => readProposals(database, scope, after),
    ...contradictionsByRevision(database, revision),
    events: (since) => eventsSince(database, since),
  }
}

interface Opened {
  /** ms. */
  readonly at: number
  readonly revision: number
  /** The stamp of the next change, at this time (ms). */
  readonly takeStamp: (nowMs: number) => Stamp
}

/** Changes inside the caller's transaction, which raises the store to `revision`. `events` and `changed` grow with each change. */
export interface OpenChanges {
  readonly changes: LearningChanges
  readonly events: readonly NewEvent[]
  readonly changed: ReadonlySet<string>
}

export function openChanges(
  database: Database,
  learning: Learning,
  { at, revision, takeStamp: take }: Opened,
): OpenChanges {
  const takeStamp = () => take(at)
  const events: NewEvent[] = []
  const changed = new Set<string>()
  const changes: LearningChanges = {
    ...learning,
    isReported: (key, mark) => isReported(readReports(database, key), mark),
    report: (key, reports) => tellReports(database, key, reports, takeStamp),
    setLink: (a, b, weight) => setLink(database, a, b, weight, takeStamp()),
    strengthenLink: (a, b, delta) => strengthenLink(database, a, b, delta, takeStamp()),
    weakenLinks(factor) {
      const weakening = weakenRows(database, factor, takeStamp)
      for (const id of weakening.ids) changed.add(id)
      return weakening
    },
    openPrediction: (key) => readOpenPrediction(database, key),
    predict: (key, expected) => writePrediction(database, key, at, expected, takeStamp()),
    resolvePrediction: (key, actual, error) =>
      writeResolution(database, key, { actual, error, at, stamp: takeStamp() }),
    propose: (scope, key, reason) => writeProposal(database, key, { scope, createdAt: at, reason, stamp: takeStamp() }),
    endProposals: (key) => removeProposals(database, key),
    proposeContradiction: (key, other, reason) => writeContradiction(database, { key, other, at, reason }),
    settleContradictions: (key, isRight) => settleContradictions(database, key, isRight),
    expire: (until) => endExpired(database, until, takeStamp),
    isDone: (operation) => isOperationDone(database, operation),
    markDone: (operation) => rememberOperation(database, operation, revision, at),
    log(kind, id, detail = null) {
      events.push({ kind, id, at, detail })
      if (id !== '') changed.add(id)
    },
  }
  return { changes, events, changed }
}
