/** Compares a page file with one flat array: what it reads, which changes it reports, and what a rollback restores. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPageFile, type Page, pageBytes } from '../../../worker/sqlite/pages/page-file.ts'

type Step =
  | { readonly kind: 'write'; readonly offset: number; readonly length: number; readonly fill: number }
  | { readonly kind: 'truncate'; readonly pages: number }
  | { readonly kind: 'take' | 'settle' | 'restore' }

const size = 6 * pageBytes
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    offset: fc.nat(size),
    length: fc.oneof(fc.constant(pageBytes), fc.nat(2 * pageBytes)),
    fill: fc.integer({ min: 1, max: 255 }),
  }),
  fc.record({ kind: fc.constant('truncate' as const), pages: fc.nat(6) }),
  fc.constantFrom('take', 'settle', 'restore').map((kind) => ({ kind })),
)

describe('a page file', () => {
  test('reads as one flat file; the reported changes rebuild it; a rollback restores the last settled state', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const file = createPageFile()
        let flat = new Uint8Array(0)
        let settled = flat
        let taken: Uint8Array<ArrayBuffer> | null = null
        // What a journal would hold: pages replaced batch by batch.
        let journal: Page[] = []
        let pending: Page[] | null = null
        for (const one of steps) {
          if (one.kind === 'write') {
            file.write(new Uint8Array(one.length).fill(one.fill), one.offset)
            if (one.length > 0) flat = resized(flat, Math.max(flat.length, ceil(one.offset + one.length)))
            flat.fill(one.fill, one.offset, one.offset + one.length)
          } else if (one.kind === 'truncate') {
            file.truncate(one.pages * pageBytes)
            flat = resized(flat, one.pages * pageBytes)
          } else if (one.kind === 'take') {
            const changes = file.take()
            if (changes !== null) {
              pending ??= [...journal]
              for (const [i, number] of changes.numbers.entries()) pending[number] = changes.pages[i]!
              pending.length = changes.pageCount
              taken = flat.slice()
            }
          } else if (one.kind === 'settle') {
            file.confirm()
            settled = taken ?? settled
            journal = pending ?? journal
            taken = null
            pending = null
          } else {
            file.restore()
            flat = settled.slice()
            taken = null
            pending = null
          }
          // Compared as buffers: an assertion per byte takes minutes.
          expect(Buffer.compare(content(file.view()), flat)).toBe(0)
          expect(file.size()).toBe(flat.length)
          expect(Buffer.compare(content(journal), settled)).toBe(0)
        }
      }),
      { numRuns: 200, seed: 20_261_122 },
    )
  })

  test('rolls back over two takes at once: to the settled state, not to that of the first take', () => {
    const file = createPageFile([new Uint8Array(pageBytes).fill(1)])
    for (const fill of [2, 3, 4]) {
      file.write(new Uint8Array(pageBytes).fill(fill), 0)
      file.write(new Uint8Array(pageBytes).fill(fill), fill * pageBytes)
      if (fill < 4) file.take()
    }
    file.restore()
    expect([file.size(), file.view()[0]?.[0]]).toEqual([pageBytes, 1])
    expect(file.take()).toBeNull()
  })

  test('a view does not change with the file', () => {
    const file = createPageFile()
    file.write(new Uint8Array(pageBytes).fill(1), 0)
    const view = file.view()
    file.write(Uint8Array.of(2), 5)
    expect(view[0]?.[5]).toBe(1)
  })

  test('reading past the end returns the bytes that exist, and zeros', () => {
    const file = createPageFile()
    file.write(new Uint8Array(pageBytes).fill(7), 0)
    const target = new Uint8Array(4).fill(9)
    expect(file.read(target, pageBytes - 2)).toBe(2)
    expect([...target]).toEqual([7, 7, 0, 0])
  })
})

function ceil(bytes: number): number {
  return Math.ceil(bytes / pageBytes) * pageBytes
}

function resized(flat: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(bytes)
  next.set(flat.subarray(0, bytes))
  return next
}

function content(pages: readonly Page[]): Uint8Array {
  const flat = new Uint8Array(pages.length * pageBytes)
  for (const [i, page] of pages.entries()) flat.set(page, i * pageBytes)
  return flat
}
