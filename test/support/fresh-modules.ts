/**
 * Runs before each test file in Node. Files share a process, because starting one for each takes a second of processor
 * time. Here each file gets modules of its own: with them an SQLite of its own, whose memory is freed later. The modules of core are pure,
 * so they stay, and so does the compiled code of SQLite: compiling them again took up to a third of the processor time of a file.
 * It also gets back the globals with which the process began, because an earlier file may have left a `navigator`.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { vi } from 'vitest'

/** What vitest knows of a module that it has run. */
interface RunModule {
  promise: unknown
  exports: unknown
  evaluated: boolean
}

/** Kept in the global object, because this module is loaded again for each file. */
const key = Symbol.for('scrubjay: the globals of the first file')
const kept = globalThis as unknown as Record<symbol, ReadonlyMap<string, PropertyDescriptor> | undefined>
const sqliteKey = Symbol.for('scrubjay: the compiled SQLite')
const shared = globalThis as unknown as Record<symbol, WebAssembly.Module | undefined>
const runner = globalThis as unknown as {
  readonly __vitest_worker__: { readonly evaluatedModules: { readonly idToModuleMap: Map<string, RunModule> } }
}

vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
resetAllButCore()
kept[key] ??= currentGlobals()
restoreGlobals(kept[key])
// While it is referred to, V8 gives its code to each instance of the same bytes.
shared[sqliteKey] ??= await WebAssembly.compile(
  readFileSync(createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')),
)

function resetAllButCore(): void {
  const core = [...runner.__vitest_worker__.evaluatedModules.idToModuleMap]
    .filter(([id, { evaluated }]) => evaluated && id.includes('/src/core/'))
    .map(([, module]) => [module, stateOf(module)] as const)
  vi.resetModules()
  for (const [module, state] of core) Object.assign(module, state)
}

function stateOf({ promise, exports, evaluated }: RunModule): RunModule {
  return { promise, exports, evaluated }
}

/** Without those of the test runner and of packages. */
function currentGlobals(): ReadonlyMap<string, PropertyDescriptor> {
  return new Map(
    Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([name]) => !name.startsWith('__')),
  )
}

function restoreGlobals(before: ReadonlyMap<string, PropertyDescriptor>): void {
  for (const [name, now] of currentGlobals()) {
    const then = before.get(name)
    if (then === undefined) Reflect.deleteProperty(globalThis, name)
    else if (now.configurable && (now.value !== then.value || now.get !== then.get))
      Object.defineProperty(globalThis, name, then)
  }
  for (const [name, then] of before) if (!Object.hasOwn(globalThis, name)) Object.defineProperty(globalThis, name, then)
}
