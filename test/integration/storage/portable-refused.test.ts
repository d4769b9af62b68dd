/** Checks that a refused import changes nothing. */
import { describe, expect, test } from 'vitest'
import { parseReports } from '../../../worker/export-format/reports.ts'
import { dump } from '../../support/stores/dump.ts'
import { frozenStores } from '../../support/stores/frozen-store.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { exported, imported, openRich, portableOptions, resealed } from '../../support/stores/portable.ts'

describe('a refused import changes nothing', () => {
  const refusals: readonly (readonly [string, (sound: Uint8Array) => Uint8Array, string])[] = [
    ['nothing', () => new Uint8Array(0), 'INVALID_ARGUMENT'],
    ['something else', () => new TextEncoder().encode('SQLite format 3\0 and so on'), 'INVALID_ARGUMENT'],
    ['a newer format', (bytes) => bytes.with(8, 4), 'STORE_NEWER'],
    ['the end missing', (bytes) => bytes.slice(0, -1), 'INVALID_ARGUMENT'],
    ['something behind it', (bytes) => Uint8Array.from([...bytes, 0]), 'INVALID_ARGUMENT'],
    ['a flipped bit', (bytes) => bytes.with(500, bytes[500]! ^ 1), 'INVALID_ARGUMENT'],
    ['an unknown field', (bytes) => resealed(bytes, replacing('"kind":', '"kond":')), 'INVALID_RECORD'],
    ['a prototype', (bytes) => resealed(bytes, replacing('"importance"', '"__proto__" ')), 'INVALID_RECORD'],
    ['a forged hash', (bytes) => resealed(bytes, replacing('"contentHash":"', '"contentHash":"', 1)), 'INVALID_RECORD'],
    ['another count', (bytes) => resealed(bytes, replacing('"records":60', '"records":61')), 'INVALID_ARGUMENT'],
    ['no JSON', (bytes) => resealed(bytes, replacing('{"predictions"', '["predictions"')), 'INVALID_ARGUMENT'],
  ]

  test.each(refusals)('%s', async (_name, damage, code) => {
    const target = await openRich(10, 9)
    const before = dump(target.database)
    const sound = await exported(await openRich())
    const bytes = damage(sound)
    expect(Buffer.from(bytes).equals(Buffer.from(sound))).toBe(false)
    for (const mode of ['merge', 'replace'] as const)
      await expect(imported(target, bytes, mode)).rejects.toMatchObject({ code })
    expect(dump(target.database)).toBe(before)
  })

  test.each([
    ['learned.confidence.evidence', '1000000001'],
    ['learned.confidence.corroborations', '9007199254740991'],
    ['learned.confidence.contradictions', '-1'],
    ['learned.confidence.evidence', '0.5'],
    ['learned.accessCount', '1000000001'],
  ])('[E1] a count out of bounds in an export of version 8: %s of %s', async (field, value) => {
    const target = await openRich(10, 9)
    const before = dump(target.database)
    const sound = frozenStores()[7]!.exported
    const name = field.split('.').at(-1)!
    const withCount = (count: string) =>
      resealed(
        sound,
        rewriting((block) => block.replace(new RegExp(`"${name}":\\d+`), `"${name}":${count}`)),
      )
    const refused = await imported(target, withCount(value), 'merge').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'INVALID_RECORD', field: `source.${field}` })
    expect(dump(target.database)).toBe(before)
    // control: the same file with the largest count allowed.
    await imported(await openOver(portableOptions), withCount('1000000000'), 'merge')
  })

  test.each([
    ['one id twice', (frames: readonly Buffer[]) => [frames[0], frames[1], frames[1]]],
    ['ids out of order', (frames: readonly Buffer[]) => [frames[0], frames[2], frames[1]]],
  ])('%s', async (_name, change) => {
    const source = await openOver()
    await source.call('put', { batch: ['a', 'b'].map((id) => ({ id, body: `text of ${id}` })) })
    const target = await openOver()
    await target.call('put', { batch: [{ id: 'kept', body: 'kept' }] })
    const before = dump(target.database)
    const bytes = resealed(await exported(source), (content) => Buffer.concat(change(framesOf(content)) as Buffer[]))
    for (const mode of ['merge', 'replace'] as const)
      await expect(imported(target, bytes, mode)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('record 1 is not in order'),
      })
    expect(dump(target.database)).toBe(before)
  })

  test.each(['b', 'c'])('a link that does not name a smaller id: b to %s', async (id) => {
    const source = await openOver()
    await source.call('put', { batch: ['a', 'b'].map((name) => ({ id: name, body: `text of ${name}` })) })
    await source.call('link', { a: 'a', b: 'b', weight: 0.5 })
    const sound = await exported(source)
    const linkedTo = (other: string) =>
      resealed(
        sound,
        rewriting((block) => block.replace('"links":[{"id":"a"', `"links":[{"id":"${other}"`)),
      )
    const target = await openOver()
    for (const mode of ['merge', 'replace'] as const)
      await expect(imported(target, linkedTo(id), mode)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('links are not in order'),
      })
    // control: the link as it was.
    await imported(target, linkedTo('a'))
  })

  test('[E1] more reports than a device lists are refused', () => {
    const listed = (count: number) => [
      { device: 'a', listed: Array.from({ length: count }, (_, i) => [i, 0, null, ['confidence', 0.5]]) },
    ]
    expect(() => parseReports(listed(1_025))).toThrow(expect.objectContaining({ field: 'reports[0].listed' }))
    expect(parseReports(listed(1_024))[0]?.listed).toHaveLength(1_024)
  })

  test('a frame of an unknown kind, whatever it holds', async () => {
    const source = await openOver()
    await source.call('put', { batch: [{ id: 'a', body: 'text of a' }] })
    await source.call('forget', { ids: ['a'] })
    const sound = await exported(source)
    const withKind = (kind: number) =>
      resealed(sound, (content) => {
        const frames = framesOf(content)
        // A tombstone has kind 5 and comes last.
        expect(frames.at(-1)![0]).toBe(5)
        frames.at(-1)![0] = kind
        return Buffer.concat(frames)
      })
    const target = await openOver()
    for (const kind of [0, 6])
      await expect(imported(target, withKind(kind))).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(`unknown kind ${kind}`),
      })
    // control: the frame as it was.
    await imported(target, withKind(5))
  })

  test.each(['[0]', '[0,9,9]', '7'])('[E1] a span of a vector must be two places: %s', async (span) => {
    const source = await openOver(portableOptions)
    const vectors = [{ vector: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), from: 0, to: 9 }]
    await source.call('put', { batch: [{ id: 'a', body: 'text of a', vectors }] })
    const withSpan = async (other: string) =>
      resealed(
        await exported(source),
        rewriting((block) => block.replace('"spans":[[0,9]]', `"spans":[${other}]`)),
      )
    const target = await openOver(portableOptions)
    await expect(imported(target, await withSpan(span))).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      field: expect.stringMatching(/vectors\.spans\[0\]$/),
    })
    // control: a span that is one.
    await imported(target, await withSpan('[0,8]'))
  })

  test('control: with new checksums and no change it is imported', async () => {
    const bytes = await exported(await openRich())
    const same = resealed(bytes, (content) => content)
    expect(Buffer.from(same).equals(Buffer.from(bytes))).toBe(true)
    await imported(await openOver(portableOptions), same)
  })

  test('an unknown mode and a chunk out of order are refused', async () => {
    const { call } = await openOver()
    await call('importPart', { import: 'x', at: 0, bytes: new Uint8Array(3) }).catch(() => undefined)
    await expect(call('importPart', { import: 'x', at: 9, bytes: new Uint8Array(3) })).rejects.toMatchObject({
      code: 'LEADER_LOST',
    })
    await expect(call('finishImport', { import: 'x', mode: 'mix' as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'mode',
    })
  })
})

/** Replaces the first occurrence by a text of the same length; `skew` also changes the character after it. */
function replacing(from: string, to: string, skew = 0): (content: Buffer) => Uint8Array {
  return (content) => {
    const at = content.indexOf(from)
    if (at === -1) throw new Error(`no ${from} in the export`)
    const copy = Buffer.from(content)
    // Each frame begins with its length.
    copy.write(to.padEnd(from.length).slice(0, from.length), at)
    if (skew > 0) copy[at + from.length] = copy[at + from.length] === 0x61 ? 0x62 : 0x61
    return copy
  }
}

/** Changes the JSON of each record. */
function rewriting(change: (block: string) => string): (content: Buffer) => Uint8Array {
  return (content) =>
    Buffer.concat(
      framesOf(content).map((frame) => {
        if (frame[0] !== 2) return frame
        const json = Buffer.from(change(frame.subarray(5).toString()))
        const head = Buffer.from(frame.subarray(0, 5))
        head.writeUInt32LE(json.length, 1)
        return Buffer.concat([head, json])
      }),
    )
}

/** A kind, a length of four bytes and the content, each. */
function framesOf(content: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    const end = at + 5 + content.readUInt32LE(at + 1)
    frames.push(content.subarray(at, end))
    at = end
  }
  return frames
}
