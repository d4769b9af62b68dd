/**
 * Makes the store of an earlier time: a copy of the database in memory, in which each record that was written since is set back. One is kept, until
 * another time is asked for or a record is forgotten. Its answers are made like those of any store [H4].
 */
import type { ResolvedAuthority } from '../../src/core/model/authority.ts'
import { recallError } from '../../src/core/model/errors.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import { afterCommit } from '../methods/common/after-commit.ts'
import { inSteps } from '../methods/common/in-steps.ts'
import type { Past, Ports } from '../methods/common/ports.ts'
import { copyDatabase } from '../sqlite/copy-database.ts'
import type { OpenStorage } from '../storage/common/port.ts'
import { applyRows, costOfRows } from '../store/export/apply-rows.ts'
import type { KeptWrite } from '../store/port/history.ts'
import { createDerivedState } from './derived-state.ts'

export interface PastSource {
  readonly storage: OpenStorage
  readonly options: EngineOptions
  readonly authority: ResolvedAuthority | null
  readonly kernel: BufferSource | undefined
  /** Opens an empty store in memory. */
  readonly openMemory: () => Promise<OpenStorage>
}

interface Made {
  /** The first write that it lacks, and what was forgotten before it was made. */
  readonly name: string
  /** After a rewind another store reads the database, and its writes may have the same numbers. */
  readonly madeOf: Ports['store']
  readonly ports: Ports
  close(): void
}

/** `now`: the ports of the present store. */
export function createPast(now: () => Ports, source: PastSource): Past {
  let made: Made | null = null
  let running = 0
  /** Questions of the past run one after another, because each may need another store. */
  let last: Promise<unknown> = Promise.resolve()

  const drop = () => {
    made?.close()
    made = null
  }
  const forgotten = () => {
    // A store that answers is let go after its answer.
    if (running === 0 && made !== null && (made.madeOf !== now().store || !made.name.endsWith(erased(now())))) drop()
  }
  const answer = async <T>(write: KeptWrite, work: (then: Ports) => Promise<T>): Promise<T> => {
    running++
    try {
      const name = `${write.seq} ${erased(now())}`
      if (made?.name !== name || made.madeOf !== now().store) {
        drop()
        made = await make(now(), source, write, name)
      }
      return await work(made.ports)
    } finally {
      running--
      forgotten()
    }
  }
  return {
    ask(at, work) {
      const write = now().store.history!.writeAfter(at)
      if (write === null) return null
      const answered = last.then(() => answer(write, work))
      last = answered.catch(() => undefined)
      return answered
    },
    forgotten,
    close: () => void last.then(drop),
  }
}

function erased({ store }: Ports): string {
  return `${store.history!.erasures()} erasures`
}

async function make(ports: Ports, source: PastSource, write: KeptWrite, name: string): Promise<Made> {
  const storage = await source.openMemory()
  try {
    // Between two transactions, so that copy and rows are of one state.
    const rows = await ports.writeQueue.write(() => {
      copyDatabase(source.storage.database, storage.database, notCopied)
      return ports.store.history!.rowsBefore(write)
    })
    // An index of its own, which compares all vectors, and no settings but the stored ones.
    const options: EngineOptions = { ...source.options, index: 'exact', history: false, retention: null }
    const idle = { due: () => undefined, now: () => undefined, stop: () => undefined }
    const derived = createDerivedState({
      ...source,
      storage,
      options,
      writeQueue: ports.writeQueue,
      settings: () => ({}),
      emit: () => undefined,
    })
    const { current } = derived
    const then: Ports = {
      ...ports,
      storage,
      options,
      past: null,
      catchUp: null,
      erasure: idle,
      invalidateDerived: derived.invalidate,
      emit: () => undefined,
      get store() {
        return current().store
      },
      get index() {
        const { index, searched } = current()
        return searched ?? index
      },
      acceleration: null,
      get scorer() {
        return current().scorer
      },
      get completeScorer() {
        return current().completeScorer
      },
      get rows() {
        return current().rows
      },
    }
    const steps = current().store.follow(rows.revision, costOfRows(rows), (target) => applyRows(target, rows, 0))
    await afterCommit(then, await inSteps(ports, steps))
    return {
      name,
      madeOf: ports.store,
      ports: then,
      close() {
        derived.latest().store.close()
        void storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

function notCopied(problem: string) {
  return recallError('STORAGE_UNAVAILABLE', `The store of that time could not be made: ${problem}`, {
    hint: 'Try again.',
  })
}
