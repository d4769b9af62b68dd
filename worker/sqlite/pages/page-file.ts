/**
 * A file in memory as an array of pages that are replaced, never changed. So the writes since the last `take` are known and can be
 * undone, and a view of the whole file costs one array. Independent of SQLite and storage.
 */

/** Bytes of a page: SQLite's own page size, so that one written page is one replaced page. */
export const pageBytes = 8192

export type Page = Uint8Array<ArrayBuffer>

/** The changes since the last `take`: the current pages, ascending, and the number of pages of the file. */
export interface PageChanges {
  readonly pageCount: number
  readonly numbers: readonly number[]
  readonly pages: readonly Page[]
}

export interface PageFile {
  /** In bytes; grows in whole pages. */
  size(): number
  /** Fills `target` from the offset, zeroes the rest, and returns the number of bytes read. */
  read(target: Uint8Array, offset: number): number
  write(source: Uint8Array, offset: number): void
  truncate(size: number): void
  /** The current pages. Later writes do not change this array. */
  view(): readonly Page[]
  /** Returns the changes since the last call; null if there are none. `restore` will return to this state. */
  take(): PageChanges | null
  /** Undoes the writes since the `take` before the last one. They do not count as changes then. */
  restore(): void
  /** Confirms the last `take`: it can no longer be undone. */
  confirm(): void
}

export function createPageFile(initial: readonly Page[] = []): PageFile {
  const pages: Page[] = [...initial]
  // The content of each page before its first replacement since the last `take`; undefined: the page did not exist.
  let fresh = new Map<number, Page | undefined>()
  let freshCount = pages.length
  let unconfirmed = new Map<number, Page | undefined>()
  let takenCount = pages.length

  const replace = (number: number, page: Page | undefined) => {
    if (!fresh.has(number)) fresh.set(number, pages[number])
    if (page === undefined) pages.length = number
    else pages[number] = page
  }
  const growTo = (count: number) => {
    while (pages.length < count) replace(pages.length, new Uint8Array(pageBytes))
  }

  return {
    size: () => pages.length * pageBytes,
    read(target, offset) {
      let done = 0
      while (done < target.length) {
        const at = offset + done
        const page = pages[Math.floor(at / pageBytes)]
        if (page === undefined) break
        const part = page.subarray(at % pageBytes, (at % pageBytes) + target.length - done)
        target.set(part, done)
        done += part.length
      }
      target.fill(0, done)
      return done
    },
    write(source, offset) {
      let done = 0
      while (done < source.length) {
        const at = offset + done
        const number = Math.floor(at / pageBytes)
        growTo(number)
        const from = at % pageBytes
        const length = Math.min(pageBytes - from, source.length - done)
        const page =
          length === pageBytes ? new Uint8Array(pageBytes) : (pages[number]?.slice() ?? new Uint8Array(pageBytes))
        page.set(source.subarray(done, done + length), from)
        replace(number, page)
        done += length
      }
    },
    truncate(size) {
      const count = Math.ceil(size / pageBytes)
      while (pages.length > count) replace(pages.length - 1, undefined)
      growTo(count)
    },
    view: () => [...pages],
    take() {
      if (fresh.size === 0 && pages.length === freshCount) return null
      const numbers = [...fresh.keys()].filter((number) => number < pages.length).sort((a, b) => a - b)
      // Two `take`s without `confirm` are undone together, so the older content wins.
      unconfirmed = new Map([...fresh, ...unconfirmed])
      fresh = new Map()
      freshCount = pages.length
      return { pageCount: pages.length, numbers, pages: numbers.map((number) => pages[number]!) }
    },
    restore() {
      pages.length = takenCount
      for (const [number, before] of [...fresh, ...unconfirmed]) {
        if (number < takenCount) pages[number] = before!
      }
      unconfirmed = new Map()
      fresh = new Map()
      freshCount = takenCount
    },
    confirm() {
      unconfirmed = new Map()
      takenCount = freshCount
    },
  }
}
