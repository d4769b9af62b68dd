/** Gives the tests of both kinds of storage the promises that a browser checks, and words that can be searched in stored bytes. */
import { storageContract } from '../../../src/testing/storage-contract.ts'
import type { BrowserKind } from '../../support/browsers/browsers.ts'
import { isInDetail } from '../../support/browsers/detail.ts'

/** Names of the promises. Names of stores are hashed alike in every engine, so one browser tests those. */
export function contractIn(kind: BrowserKind): readonly string[] {
  return storageContract.map(({ name }) => name).filter((name) => isInDetail(kind) || !name.startsWith('each name'))
}

/** Twenty random words of 32 letters. */
export function randomWords(): readonly string[] {
  const word = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => String.fromCharCode(97 + (byte % 26))).join('')
  return Array.from({ length: 20 }, word)
}
