/**
 * A file held in memory as pages that are never changed, only replaced. So what was written since the last `take` is
 * known, can be taken back, and a view of the whole file costs one array. Knows nothing of SQLite or of storage.
 */

/** Bytes in a page: SQLite's own, so that one written page is one replaced page. */
export const pageBytes = 8192

export type Page = Uint8Array<ArrayBuffer>

/** What changed since the last `take`: the pages as they are now, ascending, and how many the file has. */
export interface PageChanges {
  readonly pageCount: number
  readonly numbers: readonly number[]
  readonly pages: readonly Page[]
}

export interface PageFile {
  /** In bytes; grows by whole pages. */
  size(): number
  /** Fills `target` from the offset on and returns the bytes that the file had; the rest is zeroed. */
  read(target: Uint8Array, offset: number): number
  write(source: Uint8Array, offset: number): void
  truncate(size: number): void
  /** The pages as they are: later writes do not change this array. */
  view(): readonly Page[]
  /** Null when nothing changed. From here on `restore` goes back to this state. */
  take(): PageChanges | null
  /** Undoes what was written since the `take` before the last one and counts it as never written. */
  restore(): void
  /** The last `take` is kept for good. */
  settle(): void
}

export function createPageFile(initial: readonly Page[] = []): PageFile {
  const pages: Page[] = [...initial]
  // Each page's content before it was first replaced since; undefined: there was none.
  let fresh = new Map<number, Page | undefined>()
  let freshCount = pages.length
  let taken = new Map<number, Page | undefined>()
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
      // Taken twice without settling: one undo for both, the older content wins.
      taken = new Map([...fresh, ...taken])
      fresh = new Map()
      freshCount = pages.length
      return { pageCount: pages.length, numbers, pages: numbers.map((number) => pages[number]!) }
    },
    restore() {
      pages.length = takenCount
      for (const [number, before] of [...fresh, ...taken]) {
        if (number < takenCount) pages[number] = before!
      }
      taken = new Map()
      fresh = new Map()
      freshCount = takenCount
    },
    settle() {
      taken = new Map()
      takenCount = freshCount
    },
  }
}
