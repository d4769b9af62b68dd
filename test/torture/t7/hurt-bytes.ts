/** Damages bytes, and opens engines over what is left. */
import { RecallError } from '../../../src/core/model/errors.ts'
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'
import { unpackResult } from '../../../src/protocol/packed-result.ts'
import type { Engine } from '../../../worker/engine/engine.ts'
import type { Random } from '../../support/data/random.ts'
import { type Caller, exportAll, vectorOf } from '../t4/script.ts'

/** Codes that a damaged store may have. */
export const honest: readonly string[] = ['STORE_CORRUPT', 'DATA_MISSING']

/** All observable state: the rows, a question in words, one by a vector, both integrity checks. */
export async function digestOf(engine: Engine): Promise<string> {
  const call: Caller['call'] = (method, request, at) => engine.call(method, request, { now: at })
  const ask = async (query: object) => {
    const { hits } = unpackResult(await call('recall', { query: { ...query, limit: 100 } }, now))
    return hits.map(({ record: { id, title, body }, score }) => [id, title, body, score])
  }
  const answers = [await ask({ text: 'jay acorn' }), await ask({ vector: vectorOf(5), exact: true }), await ask({})]
  const content = sha256HexOfBytes(await exportAll({ call }, now))
  const { ok, sqlite, problems } = await call('integrityCheck', {}, now)
  // Damage reported for the rows that were read is correct, like STORE_CORRUPT.
  if (!ok && sqlite === 'damaged') throw new RecallError({ code: 'STORE_CORRUPT', message: problems.join('; ') })
  return `${content} ${sha256HexOfBytes(new TextEncoder().encode(JSON.stringify([answers, ok])))}`
}

/**
 * One to three changes from `least` on: bits, bytes, blocks zeroed, moved or left out, an end removed. Null: no
 * change.
 */
export function mutated(bytes: Uint8Array<ArrayBuffer>, random: Random, least: number): Uint8Array<ArrayBuffer> | null {
  let changed = bytes.slice()
  const place = (unit: number) => least + Math.floor(random.below(Math.max(1, changed.length - least)) / unit) * unit
  for (let i = random.pick([1, 1, 1, 2, 3]); i > 0; i--) {
    if (changed.length <= least) break
    const unit = random.pick([1, 16, 512, 4_096, 8_192])
    const [at, other] = [place(unit), place(unit)]
    const length = Math.min(unit, changed.length - at, changed.length - other)
    const kind = random.below(8)
    if (kind < 3) changed[at] = changed[at]! ^ (1 << random.below(8))
    else if (kind === 3) for (let n = 0; n < length; n++) changed[at + n] = random.below(256)
    else if (kind === 4) changed.fill(0, at, at + length)
    else if (kind === 5) changed.copyWithin(other, at, at + length)
    else if (kind === 6)
      changed = Uint8Array.from(Buffer.concat([changed.subarray(0, at), changed.subarray(at + length)]))
    else changed = changed.slice(0, at)
  }
  return Buffer.from(changed).equals(Buffer.from(bytes)) ? null : changed
}

export const now = Date.UTC(2026, 1, 1)
