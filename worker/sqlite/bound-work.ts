/**
 * Bounds the work of each statement by the size of its database. The pages of a damaged tree can have many links to one page, level after level: a few pages then
 * have more rows than any walk can visit.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'

export interface BoundWork {
  /** Called when a statement begins. */
  begin(): void
  /** Called with the number of pages whenever it is known. */
  measure(pages: number): void
  /** Most rows of a statement. */
  mostRows(): number
  /** Whether SQLite ended the statement because it took more steps than its database can need. */
  isExceeded(): boolean
  release(): void
}

export function boundWork(sqlite3: Sqlite3Static, pointer: number): BoundWork {
  const { connections, handler } = handlerOf(sqlite3)
  const work = { pages: mostUnread, steps: 0 }
  const handle = (called: number) =>
    sqlite3.capi.sqlite3_progress_handler(pointer as never, stepsAtOnce, called as never, pointer as never)
  connections.set(pointer, work)
  handle(handler)
  return {
    begin() {
      work.steps = 0
    },
    measure(pages) {
      work.pages = pages
    },
    mostRows: () => Math.max(leastRows, work.pages * rowsPerPage),
    isExceeded: () => isExceeded(work),
    release() {
      handle(0)
      connections.delete(pointer)
    },
  }
}

interface Work {
  pages: number
  steps: number
}

function isExceeded({ pages, steps }: Work): boolean {
  return steps > Math.max(leastSteps, pages * stepsPerPage)
}

interface Handler {
  readonly connections: Map<number, Work>
  /** A function of SQLite's memory. */
  readonly handler: number
}

const handlers = new WeakMap<Sqlite3Static, Handler>()

/** One function for all connections, because making one takes as long as some statements. */
function handlerOf(sqlite3: Sqlite3Static): Handler {
  const known = handlers.get(sqlite3)
  if (known !== undefined) return known
  const connections = new Map<number, Work>()
  const handler = sqlite3.wasm.installFunction(
    'i(p)' as never,
    ((pointer: number) => {
      const work = connections.get(pointer)
      if (work === undefined) return 0
      work.steps += stepsAtOnce
      return isExceeded(work) ? 1 : 0
    }) as never,
  ) as unknown as number
  handlers.set(sqlite3, { connections, handler })
  return { connections, handler }
}

/** Pages of a database whose size was not read yet: what runs before, such as reading the schema, takes far fewer steps than so many pages allow. */
const mostUnread = 1 << 13

/** Steps of SQLite's virtual machine between two looks, some 20 ms. */
const stepsAtOnce = 1 << 20

/** A statement over a small database may work on large parameters. */
const leastSteps = 1 << 26
const leastRows = 1 << 20

/** A page has at most some 1,000 cells; a check of the whole file takes some 100 steps for each. */
const stepsPerPage = 1 << 17
const rowsPerPage = 1 << 11
