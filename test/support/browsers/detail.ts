/**
 * Decides in which browsers a test runs that no browser's engine decides: in the first one here, and with
 * `npm run test:everywhere` in all of them. What an engine can change always runs in all: storage, durability, tabs,
 * the start of workers, bits, and one walk through each app.
 */
import { test } from 'vitest'
import { availableBrowsers, type BrowserKind } from './browsers.ts'

/** Whether this browser runs the tests in detail, too. */
export function isInDetail(kind: BrowserKind): boolean {
  return process.env['SCRUBJAY_EVERYWHERE'] === '1' || kind === availableBrowsers()[0]
}

/** `test` where this browser runs the tests in detail; elsewhere it declares nothing, because a skipped test means that something is missing. */
export function detailIn(kind: BrowserKind): typeof test {
  return isInDetail(kind) ? test : nothing
}

const nothing = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as typeof test
