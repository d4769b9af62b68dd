/** The learning port over SQLite: combines the SQL of each subject and collects the changes of one transaction. */
import type { Database } from '../../sqlite/database.ts'
import type { Learning, LearningChanges } from '../port/learning.ts'
import { eventsSince, type NewEvent } from './event-rows.ts'
import { readGivenCycles, readLearned, writeLearned } from './learned-rows.ts'
import { contradictionsByRevision, settleContradictions, writeContradiction } from './contradiction-rows.ts'
import { readLinks, readWeight, weakenRows, writeLink } from './link-rows.ts'
import { isOperationDone, rememberOperation } from './operation-rows.ts'
import { readErrors, readOpenPrediction, writePrediction, writeResolution } from './prediction-rows.ts'
import { readProposals, removeExpired, removeProposals, writeProposal } from './proposal-rows.ts'

/** `revision`: the revision that is committed. Contradictions are read once in each. */
export function createLearning(database: Database, revision: () => number): Learning {
  return {
    stateOf: (key) => readLearned(database, key),
    givenCycles: (key) => readGivenCycles(database, key),
    linksOf: (key) => readLinks(database, key),
    weightOf: (a, b) => readWeight(database, a, b),
    predictionErrors: (filter) => readErrors(database, filter),
    proposals: (scope, after) => readProposals(database, scope, after),
    contradictions: contradictionsByRevision(database, revision),
    events: (since) => eventsSince(database, since),
  }
}

/** Changes inside the caller's transaction, which raises the store to `revision`. `events` and `changed` grow with each change. */
export interface OpenChanges {
  readonly changes: LearningChanges
  readonly events: readonly NewEvent[]
  readonly changed: ReadonlySet<string>
}

export function openChanges(database: Database, learning: Learning, at: number, revision: number): OpenChanges {
  const events: NewEvent[] = []
  const changed = new Set<string>()
  const changes: LearningChanges = {
    ...learning,
    setState: (key, before, after) => writeLearned(database, key, before, after),
    setLink: (a, b, weight) => writeLink(database, a, b, weight),
    weakenLinks(factor) {
      const weakening = weakenRows(database, factor)
      for (const id of weakening.ids) changed.add(id)
      return weakening
    },
    openPrediction: (key) => readOpenPrediction(database, key),
    predict: (key, expected) => writePrediction(database, key, at, expected),
    resolvePrediction: (key, createdAt, actual, error) =>
      writeResolution(database, key, createdAt, { actual, error, at }),
    propose: (scope, key, reason) => writeProposal(database, { scope, key, at, reason }),
    settle: (key) => removeProposals(database, key),
    proposeContradiction: (key, other, reason) => writeContradiction(database, { key, other, at, reason }),
    settleContradictions: (key) => settleContradictions(database, key),
    expire: (until) => removeExpired(database, until),
    isDone: (operation) => isOperationDone(database, operation),
    markDone: (operation) => rememberOperation(database, operation, revision, at),
    log(kind, id, detail = null) {
      events.push({ kind, id, at, detail })
      if (id !== '') changed.add(id)
    },
  }
  return { changes, events, changed }
}
