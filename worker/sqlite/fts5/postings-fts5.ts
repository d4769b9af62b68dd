/**
 * Accesses FTS5's C interface for the bridge: the offsets of the members of its two structs, the registration of an auxiliary
 * function, and the walk of a phrase with the compiled callback. Rejects versions that are too old.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { bridgeBase64 } from '../../kernel/bridge.generated.ts'
import { functionAt, memoryOf, type SqliteModule, slotAt, type TableFunction } from '../types.ts'
import { withSlot } from './postings-statement.ts'

/** Name of the auxiliary function in SQL. */
export const functionName = 'scrubjay_postings'

/** Slots of FTS5's struct `fts5_api`, stable since its version 2. */
const fts5Api = { iVersion: 0, xCreateFunction: 3 } as const

/** Registers an entry of the function table as an auxiliary function of a connection, for the connection's lifetime. */
export function registerAuxiliary(sqlite3: SqliteModule, database: number, auxiliary: number): void {
  const { wasm } = sqlite3
  const api = findFts5Api(sqlite3, database)
  const version = slotAt(sqlite3, api, fts5Api.iVersion)
  if (version < 2) throw recallError('INVALID_CONFIG', 'The fts5_api of this SQLite is too old', { value: version })
  const createFunction = functionAt(sqlite3, slotAt(sqlite3, api, fts5Api.xCreateFunction))
  const name = wasm.allocCString(functionName, false)
  try {
    const code = createFunction(api, name, 0, auxiliary, 0)
    if (code !== 0) throw recallError('INVALID_CONFIG', 'FTS5 refused the auxiliary function', { value: code })
  } finally {
    wasm.dealloc(name)
  }
}

/** FTS5 returns its API through a pointer bound to `fts5(?)` (https://www.sqlite.org/fts5.html#extending_fts5). */
function findFts5Api(sqlite3: SqliteModule, database: number): number {
  const { capi, wasm } = sqlite3
  return withSlot(sqlite3, (slot) => {
    const statement = withSlot(sqlite3, (out) => {
      const code = capi.sqlite3_prepare_v2(database, 'SELECT fts5(?1)', -1, out, 0)
      if (code !== 0) throw recallError('INVALID_CONFIG', 'This SQLite has no FTS5', { value: code })
      return wasm.peekPtr(out) as number
    })
    try {
      capi.sqlite3_bind_pointer(statement, 1, slot, 'fts5_api_ptr', 0)
      capi.sqlite3_step(statement)
    } finally {
      capi.sqlite3_finalize(statement)
    }
    const api = wasm.peekPtr(slot) as number
    if (api === 0) throw recallError('INVALID_CONFIG', 'This SQLite does not give access to its fts5_api')
    return api
  })
}

/** Exports of `worker/kernel/assembly/bridge.ts`. */
export interface BridgeExports {
  begin(buffer: number, rowCapacity: number): void
  beginPlaces(buffer: number, capacityOfPlaces: number, keyBits: number, keyCount: number): void
  found(): number
  foundPlaces(): number
  visit(api: number, context: number, userData: number): number
}

/** FTS5's walk over the rows of a phrase with the compiled callback. */
export interface Walker {
  readonly exports: BridgeExports
  /** Index of the compiled callback in the function table. */
  readonly visit: number
  readonly phraseCount: TableFunction
  readonly queryPhrase: TableFunction
}

/** Slots of FTS5's struct `Fts5ExtensionApi`; later versions only append. */
const extensionApi = {
  iVersion: 0,
  xPhraseCount: 6,
  xRowid: 10,
  xQueryPhrase: 13,
  xPhraseFirst: 16,
  xPhraseNext: 17,
} as const

/** Instantiates the compiled callback in SQLite's memory, once for each module. Throws INVALID_CONFIG if FTS5 is too old. */
export function createWalker(sqlite3: SqliteModule, api: number): Walker {
  const version = slotAt(sqlite3, api, extensionApi.iVersion)
  if (version < 2) throw recallError('INVALID_CONFIG', 'The extension API of this FTS5 is too old', { value: version })
  const member = (name: keyof typeof extensionApi) => functionAt(sqlite3, slotAt(sqlite3, api, extensionApi[name]))
  const binary = Uint8Array.from(atob(bridgeBase64), (character) => character.charCodeAt(0))
  const instance = new WebAssembly.Instance(new WebAssembly.Module(binary), {
    env: { memory: memoryOf(sqlite3) },
    bridge: {
      xRowid: member('xRowid'),
      xPhraseFirst: member('xPhraseFirst'),
      xPhraseNext: member('xPhraseNext'),
    },
  })
  const exports = instance.exports as unknown as BridgeExports
  return {
    exports,
    visit: sqlite3.wasm.installFunction('i(ppp)', exports.visit),
    phraseCount: member('xPhraseCount'),
    queryPhrase: member('xQueryPhrase'),
  }
}
