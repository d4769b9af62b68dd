/**
 * Measures how the time of a function grows with its text: a ratio of the best processor times, which is the same on a
 * busy machine. A function faster than the floor at the full length cannot be quadratic, and is not judged.
 */

/** Characters of a run of a unit of one character. */
const baseLength = 6_000

/** For four times the text: 4 for linear time, 16 for quadratic time. */
const mostGrowth = 9
/** For sixteen times the text: 16 for linear time, up to 90 where the collector works for the long text alone, 256 for quadratic time. */
const mostFarGrowth = 130
/**
 * ms. A quadratic pattern takes five times as long for the run of one character, and not much less for those of longer
 * units.
 */
const floorMs = 12
/** Each round keeps the best times so far. Only what looks quadratic needs more than one. */
const farRounds = 8
/** Of each round: one that something disturbed would make the growth look small. */
const shortTimes = 4
/** ms. Of times above it, with a ratio far above the allowed one, no second is taken. */
const certainMs = 300

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
  const near = compare(work, text(length / 4), text(length), { most: mostGrowth, rounds: 4 })
  if (near === null) return null
  // Time that the collector or the compiler added is small in comparison with that of a much longer text. A quadratic
  // function stays far above in every round; a linear one leaves at the first round that nothing disturbed.
  const further = compare(work, text(length), text(4 * length), { most: mostGrowth, rounds: farRounds })
  return further && compare(work, text(length / 4), text(4 * length), { most: mostFarGrowth, rounds: farRounds })
}

function compare(
  work: (text: string) => unknown,
  short: string,
  long: string,
  { most, rounds }: { readonly most: number; readonly rounds: number },
): string | null {
  let shortMs = Number.POSITIVE_INFINITY
  let longMs = timeOf(work, long)
  for (let round = 0; round < rounds; round++) {
    if (longMs < floorMs) return null
    for (let i = 0; i < shortTimes; i++) shortMs = Math.min(shortMs, timeOf(work, short))
    if (longMs / shortMs < most) return null
    if (longMs > certainMs && longMs / shortMs > 1.5 * most) break
    longMs = Math.min(longMs, timeOf(work, long))
  }
  const times = [longMs, shortMs].map((ms) => ms.toFixed(1))
  return `${times[0]} ms for ${long.length} characters, ${times[1]} ms for ${short.length}`
}

/** ms of this process on its processors. */
function timeOf(work: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage()
  work(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
