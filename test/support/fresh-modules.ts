/**
 * Runs before each test file in Node. Files share a process, because starting one for each takes a second of processor
 * time. Here each file gets modules of its own: with them an SQLite of its own, whose memory is freed later.
 * It also gets back the globals with which the process began, because an earlier file may have left a `navigator`.
 */
import { vi } from 'vitest'

/** Kept in the global object, because this module is loaded again for each file. */
const key = Symbol.for('scrubjay: the globals of the first file')
const kept = globalThis as unknown as Record<symbol, ReadonlyMap<string, PropertyDescriptor> | undefined>

vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
vi.resetModules()
kept[key] ??= currentGlobals()
restoreGlobals(kept[key])

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
