/** A quarter of the counts that the tests name: their controls still fail. */
const usualFactor = 0.25
const factor = Number(process.env.SCRUBJAY_SIZE ?? usualFactor)

/** How many random cases a test takes: a quarter of `count` in `npm run test:all`, ten times `count` with SCRUBJAY_SIZE=10, as T18 does. */
export function sized(count: number): number {
  return Math.ceil(count * factor)
}

/** `count` numbers from `first` on, more in a larger size. */
export function sizedSeeds(first: number, count: number): readonly number[] {
  return Array.from({ length: sized(count) }, (_, i) => first + i)
}

/** One of two sizes: `usual` in `npm run test:all`, `long` from SCRUBJAY_SIZE=10 on, as in T18. */
export function sizedTo(usual: number, long: number): number {
  return factor >= 10 ? long : usual
}
