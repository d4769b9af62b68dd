/**
 * Chooses how many rows the kernel reads before it multiplies them. The choice changes no number, only the time: on processors
 * that wait for memory and then multiply, reading ahead took a third off a scan; on others, which fetch ahead by themselves, it
 * added half. So the first scans try both ways in turns, and later scans take the faster one.
 */

export interface ReadAhead {
  /** Runs a scan over rows of so many bytes in total, and passes the number of rows to read ahead; 0: none. */
  run(bytes: number, scan: (ahead: number) => void): void
}

/** `now`: ms of a clock that never goes back. */
export function createReadAhead(now: () => number): ReadAhead {
  /** Least time per byte of each way. */
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let tried = 0
  return {
    run(bytes, scan) {
      if (bytes <= cachedBytes) return scan(0)
      if (tried === trials) return scan(least[1]! < least[0]! * worthwhile ? aheadRows : 0)
      const way = tried++ % 2
      const startedMs = now()
      scan(way === 0 ? 0 : aheadRows)
      least[way] = Math.min(least[way]!, (now() - startedMs) / bytes)
    },
  }
}

/** Rows up to this size stay in the cache of a processor, where reading ahead only costs. */
export const cachedBytes = 2 ** 23

export const aheadRows = 32

/** Scans that are timed: half of them each way. The least time counts, because other work only adds to it. */
export const trials = 12

/** Reading ahead must save a tenth: clocks of browsers are coarse. */
const worthwhile = 0.9
