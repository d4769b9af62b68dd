/** [P3] Tests who may use the reserve of a store in a file: deletions only. */
import { expect, test } from 'vitest'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import { reserveBytesFor } from '../../../worker/storage/common/filling.ts'
import { reserveOn } from '../../../worker/storage/file/reserve.ts'
import { createLimitedDisk } from '../../support/stores/limited-disk.ts'

const pages = 16
const reserved = reserveBytesFor(pages * pageBytes) / pageBytes

/** A file of 16 pages with a reserve, on a disk without any more space. */
function fullDisk() {
  const disk = createLimitedDisk()
  const reserve = reserveOn(disk, '/store.sqlite')
  const file = reserve.disk.open('/store.sqlite', true)
  file.write(new Uint8Array(pages * pageBytes), 0)
  reserve.hold()
  disk.limit(disk.bytes())
  return { reserve, file }
}

test('[P3] a deletion that adds pages uses the reserve of a full disk, up to its last page', () => {
  const { reserve, file } = fullDisk()
  expect(() => reserve.ensure(pages + reserved, true)).not.toThrow()
  expect(() => reserve.ensure(pages + reserved + 1, true)).toThrow()
  file.write(new Uint8Array(pageBytes), pages * pageBytes)
  expect(file.size()).toBe((pages + 1) * pageBytes)
})

test('[P3] control: any other commit that adds a page leaves the reserve, and fails', () => {
  const { reserve, file } = fullDisk()
  expect(() => reserve.ensure(pages, false)).not.toThrow()
  expect(() => reserve.ensure(pages + 1, false)).toThrow()
  expect(file.size()).toBe(pages * pageBytes)
})

test('[P3] the reserve holds the store, from 1 to 8 MiB, and grows in small steps', () => {
  const [kibibyte, mebibyte] = [1 << 10, 1 << 20]
  let before = reserveBytesFor(0)
  expect(before).toBe(mebibyte)
  for (let bytes = 0; bytes < 10 * mebibyte; bytes += 8 * kibibyte) {
    const now = reserveBytesFor(bytes)
    expect(now).toBeGreaterThan(Math.min(bytes + 64 * kibibyte, 8 * mebibyte - 1))
    expect(now - before).toBeLessThanOrEqual(512 * kibibyte)
    before = now
  }
  expect(before).toBe(8 * mebibyte)
})
