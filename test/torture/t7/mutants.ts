/**
 * T7 for exports: imports mutants of sound bytes. One with unchanged checksums must be refused; one with new checksums
 * is refused, or imported completely and sound. In either case errors are typed, and a refusal changes nothing.
 */
import { RecallError } from '../../../src/core/model/errors.ts'
import { encodeFrame, type FrameKind, frameKinds } from '../../../src/protocol/export-format/frames.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { dump, totalChanges } from '../../support/stores/dump.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported, openRich, portableOptions, resealed } from '../../support/stores/portable.ts'

export interface MutantCounts {
  readonly refused: number
  readonly landed: number
  /** The seeds that failed, and how. */
  readonly failures: readonly string[]
  /** How often each code refused. */
  readonly codes: Readonly<Record<string, number>>
}

export interface MutantSettings {
  readonly from: number
  readonly count: number
  /** For the control: pretends that chunks have no checksums, so that mutants reach the checks behind them. */
  readonly onlySealed?: boolean
}

export async function runMutants({ from, count, onlySealed = false }: MutantSettings): Promise<MutantCounts> {
  const sound = await exported(await openRich(12, 4))
  const before = await openRich(5, 5)
  let target = before
  const codes: Record<string, number> = {}
  const failures: string[] = []
  // It does not change until a mutant is imported.
  let rows = dump(target.database)
  let refused = 0
  let landed = 0
  for (let seed = from; seed < from + count; seed++) {
    const random = createRandom(seed)
    const hasRightChecksum = onlySealed || random.below(2) === 0
    const bytes = hasRightChecksum
      ? resealed(sound, (content) => (random.below(3) === 0 ? mutated(content, random) : rewritten(content, random)))
      : mutated(sound, random)
    if (Buffer.from(bytes).equals(Buffer.from(sound))) continue
    const outcome = await importMutant(target, rows, bytes, random.pick(['merge', 'replace']))
    if (outcome.kind === 'refused') {
      refused++
      codes[outcome.code] = (codes[outcome.code] ?? 0) + 1
    } else if (outcome.kind === 'landed' && hasRightChecksum) {
      landed++
      // All stores share SQLite's memory, and thousands are imported.
      target.database.close()
      target = await openOver(portableOptions)
      rows = dump(target.database)
    } else
      failures.push(
        `seed ${seed}, ${hasRightChecksum ? 'new checksum' : 'old checksum'}: ${outcome.kind === 'broken' ? outcome.how : 'it landed'}`,
      )
  }
  return { refused, landed, failures, codes }
}

type Outcome =
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'landed' }
  | { readonly kind: 'broken'; readonly how: string }

async function importMutant(
  target: OpenedOver,
  rows: string,
  bytes: Uint8Array,
  mode: 'merge' | 'replace',
): Promise<Outcome> {
  const changes = totalChanges(target.database)
  try {
    await imported(target, bytes, mode)
  } catch (error) {
    if (!(error instanceof RecallError)) return { kind: 'broken', how: String(error) }
    const isSame = totalChanges(target.database) === changes || dump(target.database) === rows
    return isSame ? { kind: 'refused', code: error.code } : { kind: 'broken', how: 'refused, and changed something' }
  }
  const { ok, problems } = await target.call('integrityCheck', {})
  if (!ok) return { kind: 'broken', how: `it landed, and then: ${problems.join('; ')}` }
  const again = await exported(target)
  const copy = await openOver(portableOptions)
  await imported(copy, again)
  const isWhole = Buffer.from(await exported(copy)).equals(Buffer.from(again))
  copy.database.close()
  return isWhole ? { kind: 'landed' } : { kind: 'broken', how: 'it landed, and does not survive a round trip' }
}

/** One value inside one frame is replaced, or one field is added. */
function rewritten(content: Buffer, random: Random): Uint8Array {
  const frames: { readonly kind: number; readonly payload: Buffer }[] = []
  for (let at = 0; at < content.length; ) {
    const length = content.readUInt32LE(at + 1)
    frames.push({ kind: content[at]!, payload: content.subarray(at + 5, at + 5 + length) })
    at += 5 + length
  }
  const chosen = random.below(frames.length)
  const changed = frames.map(({ kind, payload }, i) => {
    if (i !== chosen) return encodeFrame(kind as FrameKind, payload)
    if (kind === frameKinds.vectors) return encodeFrame(kind, mutated(payload, random))
    const value = JSON.parse(payload.toString()) as object
    rewrite(value, random)
    return encodeFrame(kind as FrameKind, Buffer.from(JSON.stringify(value)))
  })
  return Buffer.concat(changed)
}

function rewrite(value: object, random: Random): void {
  const [key, member] = random.pick(Object.entries(value)) ?? []
  const goesDeeper = typeof member === 'object' && member !== null && Object.keys(member).length > 0
  if (goesDeeper && random.below(6) > 0) return rewrite(member, random)
  const hostile = random.pick(hostileValues)
  if (random.below(6) === 0)
    Object.defineProperty(value, random.pick(hostileNames), { value: hostile, enumerable: true })
  else if (random.below(8) === 0) Reflect.deleteProperty(value, key as string)
  else
    Object.assign(value, {
      [key as string]: typeof member === 'number' ? random.pick([hostile, -member, member + 1]) : hostile,
    })
}

const hostileNames = ['__proto__', 'constructor', 'id', 'vectors', 'confidence', 'links', 'x', '0']
const hostileValues: readonly unknown[] = [
  null,
  '',
  'a',
  0,
  -1,
  1,
  0.5,
  1e308,
  1e16,
  true,
  [],
  {},
  [[]],
  [null],
  ['a'],
  '\ud800',
  '\0',
  'x'.repeat(2_000),
  '{"a":1}',
  '[1]',
  [['id', 1]],
  { text: 'x' },
]

/** One to three changes of bytes: bits, bytes, cuts, insertions, repetitions. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = Buffer.from(bytes)
  for (let i = random.pick([1, 1, 1, 2, 3]); i > 0; i--) {
    const at = random.below(changed.length)
    const length = random.pick([1, 1, 2, 4, 32, 200])
    const [head, tail] = [changed.subarray(0, at), changed.subarray(at)]
    const kind = random.below(7)
    if (kind === 0) changed[at] = changed[at]! ^ (1 << random.below(8))
    else if (kind === 1) changed[at] = random.pick([0, 1, 0x22, 0x2c, 0x30, 0x39, 0x5b, 0x5d, 0x61, 0x7b, 0x7d, 0xff])
    else if (kind === 2) changed = Buffer.from(head)
    else if (kind === 3) changed = Buffer.concat([head, Buffer.alloc(length, random.below(256)), tail])
    else if (kind === 4) changed = Buffer.concat([head, tail.subarray(length)])
    else if (kind === 5) changed = Buffer.concat([head, tail.subarray(0, length), tail])
    else changed.set(changed.subarray(random.below(changed.length)).subarray(0, Math.min(length, tail.length)), at)
    if (changed.length === 0) return changed
  }
  return changed
}
