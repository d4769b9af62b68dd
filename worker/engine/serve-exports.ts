/**
 * The opener's side of encrypted exports: encrypts what a locked store exports, and decrypts what is imported before it reaches the owner of the
 * store. An import opens with the lock that the call gives, or else with the keys or the lock of the store.
 */
import { recallError } from '../../src/core/model/errors.ts'
import type { OpeningLock } from '../../src/core/model/lock.ts'
import type { Answer, Arguments, Method, RequestContext } from '../../src/protocol/engine-api.ts'
import { isEncrypted } from '../../src/protocol/export-format/encrypted.ts'
import {
  createExportReader,
  createExportWriter,
  damagedExport,
  newerExport,
  type ExportHeader,
  type ExportReader,
  type ExportWriter,
} from '../lock/encrypted-export.ts'
import { openKeys } from '../lock/locks.ts'
import type { OpenKeys } from '../lock/port.ts'
import { lostSession } from '../methods/maintenance/export-parts.ts'
import type { Keyring } from '../storage/common/lock-port.ts'
import type { ServedEngine } from '../tabs/port.ts'

interface Export {
  readonly writer: ExportWriter
  next: number
}

interface Import {
  readonly reader: ExportReader
  /** Bytes that came, and plain bytes that were passed on. */
  received: number
  passedOn: number
}

/** Exports or imports that may be open at the same time, as in the engine. */
const mostOpen = 4

/** An engine that encrypts exports. `keyring`: of the store; null: it is not locked. */
export interface ExportingEngine extends ServedEngine {
  /** Overwrites the keys of all open exports and imports. */
  wipe(): void
}

export function serveExports(engine: ServedEngine, keyring: Keyring | null): ExportingEngine {
  const exports = new Map<string, Export>()
  const imports = new Map<string, Import>()
  const endExport = (id: string) => {
    exports.get(id)?.writer.wipe()
    exports.delete(id)
  }
  const endImport = (id: string) => {
    imports.get(id)?.reader.wipe()
    imports.delete(id)
  }
  /** The record of the store's locks, and the keys that they open. */
  const current = async (own: Keyring, context: RequestContext) => {
    const { record } = await engine.call('storedLocks', {}, context)
    const bytes = new TextEncoder().encode(record)
    return { record, bytes, keys: await own.open(bytes) }
  }
  const begin = async (own: Keyring, context: RequestContext): Promise<ExportWriter> => {
    const { record, bytes, keys } = await current(own, context)
    const writer = createExportWriter(bytes, keys.seal)
    // The store may get a new key meanwhile, which these locks do not open.
    if ((await engine.call('storedLocks', {}, context)).record === record) return writer
    writer.wipe()
    return begin(own, context)
  }
  const exportPart = async (own: Keyring, request: Arguments<'exportPart'>, context: RequestContext) => {
    const { export: id, part } = request
    const answer = await engine.call('exportPart', request, context)
    if (part === 0) {
      endMore(exports, endExport)
      exports.set(id, { writer: await begin(own, context), next: 0 })
    }
    const open = exports.get(id)
    if (open?.next !== part) throw lostSession('export')
    open.next += 1
    const bytes = open.writer.write(answer.bytes)
    // The last part of a plain export is empty.
    return answer.isLast ? { bytes: open.writer.end(), isLast: true } : { bytes, isLast: false }
  }
  const find = async (header: ExportHeader, lock: OpeningLock | undefined, context: RequestContext) => {
    if (lock !== undefined) return unwrapWith(await unlock(header.record, lock), header)
    if (keyring === null) throw lockedExport()
    // The lock of this opener may have been removed.
    const own = await current(keyring, context).catch(() => null)
    const seal = own && header.unwrap(own.keys.seal)
    if (seal !== null) return seal
    const other = await keyring.openOther(header.record)
    if (other === null) throw lockedExport()
    return unwrapWith(other, header)
  }
  const importPart = async (request: Arguments<'importPart'>, context: RequestContext) => {
    const { import: id, at, bytes, lock } = request
    if (at === 0) {
      endMore(imports, endImport)
      const reader = createExportReader((header) => find(header, lock, context))
      imports.set(id, { reader, received: 0, passedOn: 0 })
    }
    const open = imports.get(id)
    if (open?.received !== at) throw lostSession('import')
    open.received += bytes.length
    await passOn(id, open, await open.reader.push(bytes), context)
  }
  const passOn = async (id: string, open: Import, bytes: Uint8Array, context: RequestContext) => {
    const at = open.passedOn
    open.passedOn += bytes.length
    if (at === 0 || bytes.length > 0) await engine.call('importPart', { import: id, at, bytes }, context)
  }
  /** Nothing of an import that failed stays. */
  const importing = async <T>(id: string, context: RequestContext, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      endImport(id)
      await engine.call('endImport', { import: id }, context).catch(() => undefined)
      throw error
    }
  }
  const call = async (method: Method, request: unknown, context: RequestContext): Promise<unknown> => {
    if (method === 'exportPart') {
      const given = request as Arguments<'exportPart'>
      const { encrypted, ...rest } = given
      const isAsked = encrypted === undefined || encrypted === true
      return keyring !== null && isAsked ? exportPart(keyring, rest, context) : engine.call(method, given, context)
    }
    if (method === 'endExport') endExport((request as Arguments<'endExport'>).export)
    if (method === 'endImport') endImport((request as Arguments<'endImport'>).import)
    if (method === 'importPart') {
      const given = request as Arguments<'importPart'>
      const { import: id, at, bytes, lock } = given
      if (at === 0 && isEncrypted(bytes)) return importing(id, context, () => importPart(given, context))
      if (at === 0 && lock !== undefined) throw notEncrypted()
      if (imports.has(id)) return importing(id, context, () => importPart(given, context))
    }
    if (method === 'finishImport') {
      const { import: id } = request as Arguments<'finishImport'>
      const open = imports.get(id)
      if (open !== undefined) {
        await importing(id, context, () => passOn(id, open, open.reader.end(), context))
        endImport(id)
      }
    }
    return engine.call(method, request as Arguments<Method>, context)
  }
  return {
    ...engine,
    call: call as <V extends Method>(method: V, request: Arguments<V>, context: RequestContext) => Promise<Answer<V>>,
    wipe() {
      for (const id of exports.keys()) endExport(id)
      for (const id of imports.keys()) endImport(id)
    },
  }
}

function endMore(open: ReadonlyMap<string, unknown>, end: (id: string) => void): void {
  for (const oldest of [...open.keys()].slice(0, Math.max(0, open.size - mostOpen + 1))) end(oldest)
}

async function unlock(record: Uint8Array, lock: OpeningLock): Promise<OpenKeys> {
  const unlocked = await openKeys(record, lock)
  if (unlocked === 'newer') throw newerExport()
  if (unlocked === 'damaged') throw damagedExport()
  if (unlocked !== 'wrong') return unlocked.keys
  throw recallError('WRONG_KEY', 'must be a lock of the store that was exported, but it opens none of its locks', {
    field: 'lock',
    hint: 'Check the passphrase or the key. Nothing was changed.',
  })
}

/** The locks were whole, so a key that does not fit is damage. */
function unwrapWith(keys: OpenKeys, header: ExportHeader) {
  const seal = header.unwrap(keys.seal)
  keys.wipe()
  if (seal === null) throw damagedExport()
  return seal
}

function lockedExport() {
  return recallError('LOCKED', 'must be given: the export is encrypted, and the lock of this store does not open it', {
    field: 'lock',
    hint: 'Give importFrom the option lock: a passphrase or key of the store that was exported.',
  })
}

function notEncrypted() {
  return recallError('INVALID_CONFIG', 'must be absent, because this export is not encrypted', {
    field: 'lock',
    hint: 'Leave it out.',
  })
}
