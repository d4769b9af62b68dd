/**
 * Decides in which browsers a test runs. What an engine can change runs in all: one test of each promise of storage, durability,
 * tabs, the start of workers, bits, and one walk through each app. The rest runs in the first browser here, and with
 * `npm run test:everywhere` in all of them.
 */
import { test } from 'vitest'
import { availableBrowsers, type BrowserKind } from './browsers.ts'

/** Set by `npm run test:everywhere`. */
export const isEverywhere = process.env['SCRUBJAY_EVERYWHERE'] === '1'

/** Whether this browser runs the tests in detail, too. */
export function isInDetail(kind: BrowserKind): boolean {
  return isEverywhere || kind === availableBrowsers()[0]
}

/** `test` where this browser runs the tests in detail; elsewhere it declares nothing, because a skipped test means that something is missing. */
export function detailIn(kind: BrowserKind): typeof test {
  return isInDetail(kind) ? test : nothing
}

/** The cases of `test:all`, and in `test:everywhere` also those that differ from them only in size or place. */
export function casesOf<T>(usual: readonly T[], further: readonly T[]): readonly T[] {
  return isEverywhere ? [...usual, ...further] : usual
}

const nothing = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as typeof test
