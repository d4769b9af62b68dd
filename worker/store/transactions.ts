/** Runs the store's transactions: each raises the revision, appends its log lines, and stores the replies of its operations. */
import type { Steps } from '../scheduling/steps.ts'
import type { TextDeletions } from '../sqlite/fts5/delete-texts.ts'
import { mergeAfter } from '../sqlite/fts5/merge-segments.ts'
import type { StepwiseDatabase } from '../sqlite/stepwise-database.ts'
import type { Counters } from './counters.ts'
import type { HistoryKeeper } from './history/keep-history.ts'
import type { DoneOperation } from './port/committed.ts'
import { appendEvents, isChanged, type Logged } from './rows/event-rows.ts'
import { rememberWrites } from './rows/operation-rows.ts'
import type { WordCounts } from './rows/vocabulary-rows.ts'

export type How = Parameters<StepwiseDatabase['inSteps']>[0] & {
  /** Default: the next one. With it, the transaction counts as a change. */
  readonly revision?: number
}

export interface TransactionParts {
  readonly database: StepwiseDatabase
  readonly counters: Counters
  readonly deletions: TextDeletions
  readonly words: WordCounts
  /** Null: earlier versions are not kept. */
  readonly history: HistoryKeeper | null
  revision(): number
  setRevision(next: number): void
}

/** Returns a function that runs one transaction: `work`, its log events, and the new revision if anything changed. */
export function createTransactions(parts: TransactionParts) {
  const { database, counters, deletions, words, history, revision, setRevision } = parts
  return function* transact<T extends Logged>(
    work: () => Steps<T>,
    noted: (changes: T) => readonly DoneOperation[],
    how: How = {},
  ): Steps<T> {
    const before = counters.now()
    const next = how.revision ?? revision() + 1
    const isNew = (changes: T) => isChanged(changes) || how.revision !== undefined
    try {
      const changes = yield* database.inSteps(how, function* () {
        counters.restore(before)
        deletions.begin()
        words.begin()
        history?.begin()
        const done = yield* work()
        yield* deletions.end()
        yield* mergeAfter(database, counters.now().nextKey - before.nextKey)
        yield* words.end()
        counters.save(before)
        if (history !== null) yield* history.end(next, done.events)
        if (!isNew(done)) return done
        yield* appendEvents(database, next, done.events)
        database.execute(`UPDATE settings SET value = ? WHERE name = 'revision'`, [next])
        rememberWrites(database, next, noted(done))
        return done
      })
      if (isNew(changes)) setRevision(next)
      return changes
    } catch (error) {
      counters.restore(before)
      history?.begin()
      throw error
    }
  }
}
