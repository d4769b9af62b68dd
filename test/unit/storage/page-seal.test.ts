/** Tests page checksums: no damage on disk makes a page pass for the page that was written. */
import { expect, test } from 'vitest'
import { hasRightChecksum, writePageChecksum } from '../../../worker/sqlite/pages/page-checksum.ts'
import { createRandom } from '../../support/data/random.ts'

function pageOf(seed: number, number: number): Uint8Array<ArrayBuffer> {
  const random = createRandom(seed)
  const page = Uint8Array.from({ length: 8_192 }, () => random.below(256))
  writePageChecksum(page, number)
  return page
}

test('a page with a checksum is valid in its own place, and in no other', () => {
  const page = pageOf(1, 7)
  expect(hasRightChecksum(page, 7)).toBe(true)
  for (const other of [0, 6, 8, 1_000_000]) expect(hasRightChecksum(page, other)).toBe(false)
  expect(hasRightChecksum(new Uint8Array(8_192), 0)).toBe(false)
})

test('any flipped bit, and any block zeroed or copied from another page, fails the checksum', () => {
  const random = createRandom(2)
  const page = pageOf(3, 5)
  const other = pageOf(4, 5)
  for (let trial = 0; trial < 5_000; trial++) {
    const changed = page.slice()
    const at = random.below(16) * 512
    const kind = random.below(4)
    if (kind === 0) changed[random.below(8_192)]! ^= 1 << random.below(8)
    else if (kind === 1) changed.fill(0, at, at + 512)
    else if (kind === 2) changed.set(other.subarray(at, at + 512), at)
    else changed.copyWithin(at, (at + 512) % 8_192, ((at + 512) % 8_192) + 512)
    expect(hasRightChecksum(changed, 5)).toBe(false)
  }
})

test('control: a page that is changed and gets a new checksum passes: a checksum is not a signature', () => {
  const page = pageOf(1, 7)
  page[100] = page[100]! ^ 1
  writePageChecksum(page, 7)
  expect(hasRightChecksum(page, 7)).toBe(true)
})
