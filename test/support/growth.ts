/**
 * Measures how the time of a function grows with its text: a ratio of the best processor times, which is the same on a
 * busy machine. A function faster than the floor at the full length cannot be quadratic, and is not judged.
 */

/** Characters of a run of a unit of one character. */
const baseLength = 6_000

/** For four times the text: 4 for linear time, 16 for quadratic time. */
const mostGrowth = 9
/**
 * ms. A quadratic pattern takes five times as long for the run of one character, and not much less for those of longer
 * units.
 */
const floorMs = 12
/** ms. A function that takes this long is not run on four times the text. */
const slowMs = 50

export interface HostileRun {
  /** The unit that the text repeats. */
  readonly unit: string
  /** The end of the text, where a pattern that has matched everything fails. */
  readonly tail: string
}

/** Null where the time stays well below quadratic for this run, else the measured times. */
export function excessiveGrowth(work: (text: string) => unknown, { unit, tail }: HostileRun): string | null {
  const text = (length: number) => unit.repeat(Math.ceil(length / unit.length)) + tail
  // A loop that begins at each unit takes the same time at this length, however long the unit is.
  const length = Math.round(baseLength * Math.sqrt(unit.length))
  // Exponential time shows in a text that is still short.
  const probeMs = timeOf(work, text(length / 32))
  if (probeMs > 1_000) return `${Math.round(probeMs)} ms for ${Math.round(length / 32)} characters`
  const seen = compare(work, text(length / 4), text(length))
  if (seen === null) return null
  // Time that the collector or the compiler added once does not occur again, with a longer text where that is not too slow.
  const longer = seen.fullMs > slowMs ? length : 4 * length
  return compare(work, text(longer / 4), text(longer)) && seen.says
}

function compare(work: (text: string) => unknown, quarter: string, full: string) {
  let quarterMs = Number.POSITIVE_INFINITY
  let fullMs = timeOf(work, full)
  for (let round = 0; round < 4; round++) {
    if (fullMs < floorMs) return null
    quarterMs = Math.min(quarterMs, timeOf(work, quarter), timeOf(work, quarter))
    if (fullMs / quarterMs < mostGrowth) return null
    fullMs = Math.min(fullMs, timeOf(work, full))
  }
  const times = [fullMs, quarterMs].map((ms) => ms.toFixed(1))
  return { fullMs, says: `${times[0]} ms for ${full.length} characters, ${times[1]} ms for ${quarter.length}` }
}

/** ms of this process on its processors. */
function timeOf(work: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage()
  work(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
