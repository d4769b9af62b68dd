/** Exports of locked stores: nothing readable in them [K1], what they hold is what a plain export holds, and changed bytes import nothing [K2]. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openRecall, type Recall, type RecallError } from '../../../../src/index.ts'
import type { LockInput, LockSecret } from '../../../../src/core/model/lock.ts'
import { memoryTransport, replicate } from '../../../../src/replicate/index.ts'
import { createExportReader } from '../../../../worker/lock/encrypted-export.ts'
import { folder, path } from './folder.ts'

const keyOf = (seed: number) => Uint8Array.from({ length: 32 }, (_, i) => seed * i + 1)
const lock: LockSecret = { key: keyOf(5) }
let opened = 0

/** Opens a store in a new file, or in memory. */
async function withStore<T>(given: LockInput | null, work: (recall: Recall) => Promise<T>, at = ''): Promise<T> {
  const where = given === null && at === '' ? { name: `plain ${opened++}` } : { path: at || `${folder}/${opened++}` }
  const recall = await openRecall({ ...where, embedder: null, lock: given ?? undefined, now: () => 1_700_000_000_000 })
  try {
    return await work(recall)
  } finally {
    await recall.close().catch(() => undefined)
  }
}

async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ code, hint }: RecallError) => {
      expect(hint).toMatch(/./)
      return code
    },
  )

const importInto = (recall: Recall, bytes: Uint8Array, given?: LockSecret, size = bytes.length) =>
  recall.importFrom(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
    { mode: 'merge', ...(given === undefined ? {} : { lock: given }) },
  )

const fill = (recall: Recall, count = 60) =>
  recall.put(
    Array.from({ length: count }, (_, i) => ({ id: `r${i}`, body: `quetzalcoatlus ${i} ${'acorn '.repeat(i)}` })),
  )

test('[K1] the export of a locked store holds no letters of its texts, and opens with each of its locks; control: a plain one does', async () => {
  const passphrase = 'seven jays in the old oak'
  const [encrypted, plain, code] = await withStore(lock, async (recall) => {
    await fill(recall)
    await recall.keys.add({ passphrase })
    const { recoveryCode } = await recall.keys.add({ recoveryCode: true })
    return [
      await bytesOf(recall.exportTo()),
      await bytesOf(recall.exportTo({ encrypted: false })),
      recoveryCode,
    ] as const
  })
  const isReadable = (bytes: Buffer) => /quetzal[a-z]/i.test(bytes.toString('latin1') + bytes.toString('utf16le'))
  expect(isReadable(plain)).toBe(true)
  expect(isReadable(encrypted)).toBe(false)
  for (const given of [lock, { passphrase }, { recoveryCode: code }])
    await withStore(null, async (recall) => {
      await importInto(recall, encrypted, given)
      expect((await bytesOf(recall.exportTo())).equals(plain)).toBe(true)
    })
  await withStore(null, async (recall) => {
    expect(await codeOf(importInto(recall, encrypted))).toBe('LOCKED')
    expect(await codeOf(importInto(recall, encrypted, { key: keyOf(7) }))).toBe('WRONG_KEY')
    expect(await codeOf(importInto(recall, encrypted, { passphrase: 7 } as never))).toBe('INVALID_CONFIG')
    expect(await codeOf(importInto(recall, plain, lock))).toBe('INVALID_CONFIG')
    expect(await codeOf(bytesOf(recall.exportTo({ encrypted: true })))).toBe('INVALID_CONFIG')
    expect(await codeOf(bytesOf(recall.exportTo({ encrypted: 1 } as never)))).toBe('INVALID_ARGUMENT')
    expect(await recall.count()).toBe(0)
  })
})

test('a locked store imports its own exports after all locks and the key changed, and those that its lock opens', async () => {
  const [encrypted, older] = await withStore(lock, async (recall) => {
    await fill(recall, 5)
    const before = await bytesOf(recall.exportTo())
    const [own] = await recall.keys.list()
    await recall.keys.add({ key: keyOf(9) })
    await recall.keys.remove(own!.id)
    await recall.forget('r1')
    expect(await importInto(recall, before)).toMatchObject({ read: 5 })
    const after = await bytesOf(recall.exportTo())
    await recall.compact({ newKey: true })
    // The key is another one, and this opener has the lock that was removed.
    expect(await importInto(recall, before)).toMatchObject({ read: 5 })
    expect(await codeOf(importInto(recall, after))).toBe('LOCKED')
    return [after, before]
  })
  await withStore(lock, async (recall) => {
    expect(await importInto(recall, older)).toMatchObject({ inserted: 5 })
    expect(await codeOf(importInto(recall, encrypted))).toBe('LOCKED')
    expect(await importInto(recall, encrypted, { key: keyOf(9) }, 1_000)).toMatchObject({ removed: 1 })
    expect(await codeOf(bytesOf(recall.exportTo({ encrypted: 1 } as never)))).toBe('INVALID_ARGUMENT')
  })
})

test('[K2] a changed, cut, swapped, repeated or mixed export imports nothing', async () => {
  const [encrypted, other] = await withStore(lock, async (recall) => {
    await fill(recall, 260)
    return [await bytesOf(recall.exportTo()), await bytesOf(recall.exportTo())]
  })
  const unit = 65_536 + 40
  const head = headOf(encrypted)
  expect(encrypted.length).toBeGreaterThan(head + 3 * unit)
  const chunk = (i: number, of = encrypted) => of.subarray(head + i * unit, head + (i + 1) * unit)
  const begin = encrypted.subarray(0, head)
  const rest = encrypted.subarray(head + 3 * unit)
  const joined = (...parts: Uint8Array[]) => Buffer.concat(parts)
  const flipped = (at: number) => {
    const copy = Buffer.from(encrypted)
    copy[at]! ^= 1
    return copy
  }
  const wrong: Readonly<Record<string, Buffer>> = {
    'cut in a chunk': encrypted.subarray(0, -1),
    'cut after a chunk': joined(begin, chunk(0), chunk(1), chunk(2)),
    'cut in the header': encrypted.subarray(0, head - 1),
    'without a last chunk but with a forged one': joined(begin, chunk(0), encrypted.subarray(-90)),
    swapped: joined(begin, chunk(1), chunk(0), chunk(2), rest),
    repeated: joined(begin, chunk(0), chunk(0), chunk(1), chunk(2), rest),
    'with a chunk left out': joined(begin, chunk(0), chunk(2), rest),
    'with more at its end': joined(encrypted, Buffer.from('more')),
    'mixed with another one': joined(begin, chunk(0), chunk(1, other), chunk(2), rest),
    'with the header of another one': joined(other.subarray(0, head), encrypted.subarray(head)),
    ...Object.fromEntries(
      [13, 17, 21, 40, 400, head - 90, head - 1, head, head + 70_000, encrypted.length - 41, encrypted.length - 1].map(
        (at) => [`changed at ${at}`, flipped(at)],
      ),
    ),
  }
  await withStore(lock, async (recall) => {
    for (const [name, bytes] of Object.entries(wrong))
      expect(await codeOf(importInto(recall, bytes)), name).toBe('STORE_CORRUPT')
    for (let at = 0; at < 12; at++)
      expect(await codeOf(importInto(recall, flipped(at))), `${at}`).toMatch(/^INVALID_ARGUMENT$|^STORE_NEWER$/)
    expect(await recall.count()).toBe(0)
    expect(await importInto(recall, encrypted)).toMatchObject({ inserted: 260 })
  })
})

/** The header ends where its checksum does. */
function headOf(bytes: Buffer): number {
  return 12 + 8 + bytes.readUInt32BE(16) + 32 + 40 + 32
}

test('an encrypted export imports what the plain one does, in parts of any size', async () => {
  const both = (work: (recall: Recall, copy: Recall) => Promise<void>) =>
    withStore(lock, (recall) => withStore(null, (copy) => work(recall, copy)))
  await both(async (recall, copy) => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ body: fc.string({ minLength: 1, unit: 'binary' }), tags: fc.array(fc.constantFrom('a', 'b')) }),
        ),
        fc.integer({ min: 300, max: 9_000 }),
        async (records, size) => {
          const valid = records.filter(({ body }) => body.trim() !== '')
          await recall.put(
            valid.map((record) => ({ ...record, id: `${count++}` })),
            { atomic: false },
          )
          const encrypted = await bytesOf(recall.exportTo({ encrypted: true }))
          const plain = await bytesOf(recall.exportTo({ encrypted: false }))
          await importInto(copy, encrypted, lock, size)
          expect((await bytesOf(copy.exportTo())).equals(plain)).toBe(true)
        },
      ),
      { numRuns: 8 },
    )
  })
})

test('an export that ends in its header is damaged, and that of a store that is locked meanwhile ends', async () => {
  const reader = createExportReader(() => Promise.reject(new Error('not asked')))
  expect(await reader.push(new TextEncoder().encode('SCRUBJAYLOCK'))).toHaveLength(0)
  expect(() => reader.end()).toThrow('as it was written')
  await withStore(
    lock,
    async (recall) => {
      await fill(recall, 260)
      const parts = recall.exportTo()[Symbol.asyncIterator]()
      await parts.next()
      await recall.lockNow()
      expect(await codeOf(parts.next())).toBe('LOCKED')
    },
    path,
  )
})

test('replicate sends what its own key encrypts, also from a locked store', async () => {
  const key = keyOf(11)
  const transport = memoryTransport()
  await withStore(lock, async (recall) => {
    await fill(recall, 3)
    expect(await replicate(recall, { transport, key, everyMs: null }).sync()).toMatchObject({ pushed: 3 })
  })
  const limits = { signal: new AbortController().signal, maxBytes: 1e9 }
  for (const name of (await transport.list(limits)).keys())
    expect(Buffer.from((await transport.get(name, limits))!.bytes).includes('quetzal')).toBe(false)
  await withStore(null, async (recall) =>
    expect(await replicate(recall, { transport, key, everyMs: null }).sync()).toMatchObject({ inserted: 3 }),
  )
})
