/** Exports and imports over a test engine's methods, and a store with every kind of content that an export carries. */

import type { ImportReceipt } from '../../../src/core/model/receipts.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'
import { setUint32 } from '../../../src/protocol/export-format/container.ts'
import { createStaging } from '../../../worker/export-format/staging.ts'
import { createRandom } from '../data/random.ts'
import { startOfTime, type TestEngine } from './open-engine.ts'
import { type OpenedOver, openOver } from './open-over.ts'

let named = 0

/** `between` is called after each chunk with its number. */
export async function exported(
  { call }: Pick<TestEngine, 'call'>,
  between: (part: number) => Promise<unknown> = async () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const own = `export ${++named}`
  const parts: Uint8Array[] = []
  for (let part = 0; ; part++) {
    const { bytes, isLast } = await call('exportPart', { export: own, part })
    parts.push(bytes)
    if (isLast) break
    await between(part)
  }
  await call('endExport', { export: own })
  return Uint8Array.from(Buffer.concat(parts))
}

export async function imported(
  { call }: Pick<TestEngine, 'call'>,
  bytes: Uint8Array,
  mode: 'merge' | 'replace' = 'replace',
  now = startOfTime,
  partBytes = 100_000,
): Promise<ImportReceipt> {
  const own = `import ${++named}`
  for (let at = 0; at === 0 || at < bytes.length; at += partBytes)
    await call('importPart', { import: own, at, bytes: bytes.slice(at, at + partBytes) }, now)
  return call('finishImport', { import: own, mode }, now)
}

/** What an export contains besides its form: equal for a store of an older version and the same store after its migrations. */
export function contentOf(bytes: Uint8Array) {
  const staging = createStaging()
  staging.push(bytes)
  const { header, records, ...content } = staging.end()
  return {
    ...content,
    records: records.map(({ given, fields: _fields, ...record }) => ({ ...record, fields: given.fields ?? null })),
    header: { ...header, format: 0 },
  }
}

const space = { name: 'eight', dimensions: 8 }

export const portableOptions = { space, metadataKeys: ['flag'] }

/** Records of every shape, seeded, with learned state; the log and keys depend on the history, the rest does not. */
export async function openRich(count = 60, seed = 1): Promise<OpenedOver> {
  return fillRich(await openOver(portableOptions), count, seed)
}

/** The same records, in a store of the test's own. */
export async function fillRich<T extends Pick<OpenedOver, 'call' | 'database'>>(
  opened: T,
  count = 60,
  seed = 1,
): Promise<T> {
  const { call, database } = opened
  const random = createRandom(seed)
  const words = ['jay', 'acorn', 'cache', 'café', 'worm', 'oak', '橡子', 'failure', 'src/app.ts', 'TypeError']
  const text = () => Array.from({ length: 3 + random.below(12) }, () => random.pick(words)).join(' ')
  const batch = Array.from({ length: count }, (_, i): RecordInput => {
    const at = startOfTime - random.below(1e9)
    const vectors = [random.vector(8), random.vector(8)].map((vector, n) => ({ vector, from: n, to: n + 9 }))
    return {
      id: `id ${String(random.below(1e6))} ${i}`,
      title: text(),
      body: random.below(3) === 0 ? null : text(),
      project: random.pick([null, 'a', 'b']),
      tags: random.shuffled(['x', 'y', 'zé']).slice(0, random.below(3)),
      files: random.below(3) === 0 ? [{ path: `docs\\${i}.md`, sha256: 'abc', mtime: at }] : [],
      terms: random.below(4) === 0 ? [{ term: 'Declared', kind: 'symbol' }] : [],
      reasons: random.below(4) === 0 ? [{ code: 'user_pinned', weight: 0.5 }] : [],
      risks: random.below(5) === 0 ? [{ flag: 'raw_logs_deferred' }] : [],
      relations: random.below(5) === 0 ? [{ kind: 'about', target: 'elsewhere' }] : [],
      anchors: random.below(5) === 0 ? [{ id: 'a', path: 'b', kind: 'c' }] : [],
      cycles: random.below(3) === 0 ? [{ periodSeconds: 86_400, amplitude: 0.5, phaseSeconds: 3 }] : [],
      importance: random.pick([1, 0, 2.5]),
      confidence: random.pick([null, 0.25]),
      status: random.pick(['active', 'active', 'deprecated']),
      authorityTier: random.pick([null, 'canonical']),
      metadata: random.below(2) === 0 ? {} : { flag: true, deep: { list: [1, null, 'ü'] } },
      writeScore: random.pick([null, 0.8]),
      exitCode: random.pick([null, 2]),
      createdAt: at,
      updatedAt: at + random.below(1000),
      ...(random.below(3) === 0 ? { vectors } : random.below(2) === 0 ? { vectors: random.vector(8) } : {}),
    }
  })
  await call('put', { batch })
  const ids = batch.map(({ id }) => id!)
  for (let i = 0; i < count; i++) {
    await call('link', {
      a: ids[i]!,
      b: ids[(i + 1 + (i % 3)) % count]!,
      weight: 0.1 + random.next() / 2,
    })
    if (i % 3 === 0) await call('predict', { id: ids[i]!, expected: { value: i } }, startOfTime + i)
    if (i % 6 === 0) await call('resolvePrediction', { id: ids[i]!, actual: { value: 7 } }, startOfTime + 99)
    if (i % 4 === 0) await call('acknowledge', { of: [ids[i]!], outcomes: { [ids[i]!]: 'acted' } })
    if (i % 5 === 0) await call('acknowledge', { of: [ids[i]!], outcomes: { [ids[i]!]: 'dismissed' } })
    if (i % 9 === 0)
      database.execute(
        `INSERT INTO proposals SELECT '{"project":"a"}', key, ?, 'proactive', ?, 0 FROM records WHERE id = ?`,
        // After the outcomes before, which otherwise would have ended it.
        [startOfTime + i, `[${startOfTime + 1000},0,""]`, ids[i]!],
      )
  }
  await call('checkFiles', {
    states: [
      { path: 'docs/3.md', exists: true, sha256: 'abc' },
      { path: 'gone.ts', exists: false },
    ],
  })
  return opened
}

/** An export's bytes with a change inside its checksums, which are then computed again. */
export function resealed(bytes: Uint8Array, change: (content: Buffer) => Uint8Array): Uint8Array<ArrayBuffer> {
  const contents: Uint8Array[] = []
  for (let at = 12; ; ) {
    const length = Buffer.from(bytes).readUInt32LE(at)
    if (length === 0) break
    contents.push(bytes.slice(at + 4, at + 4 + length))
    at += 4 + length + 32
  }
  const changed = change(Buffer.concat(contents))
  const parts: Uint8Array[] = [bytes.slice(0, 12)]
  const digests: Buffer[] = []
  for (let at = 0; at < changed.length; at += 65_536) {
    const content = changed.subarray(at, at + 65_536)
    const numbered = new Uint8Array(4 + content.length)
    setUint32(numbered, 0, digests.length)
    numbered.set(content, 4)
    const digest = Buffer.from(sha256HexOfBytes(numbered), 'hex')
    const length = new Uint8Array(4)
    setUint32(length, 0, content.length)
    digests.push(digest)
    parts.push(length, content, digest)
  }
  const total = Buffer.from(sha256HexOfBytes(Buffer.concat([bytes.slice(0, 12), ...digests])), 'hex')
  return Uint8Array.from(Buffer.concat([...parts, new Uint8Array(4), total]))
}

/**
 * The export with the devices of its stamps numbered in their order. The id of a store is random, so two stores with equal histories
 * export equal bytes only after this.
 */
export function withNumberedDevices(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return resealed(bytes, (content) => {
    const text = content.toString('latin1')
    const devices = new Set(
      Array.from(text.matchAll(/(?:"device":|\[-?\d+,\d+,)"([0-9a-f]{16})"/g), ([, device]) => device!),
    )
    const numbered = [...devices].reduce(
      (changed, device, i) => changed.replaceAll(`"${device}"`, `"${String(i).padStart(16, '0')}"`),
      text,
    )
    return Buffer.from(numbered, 'latin1')
  })
}
