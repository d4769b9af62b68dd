/** Exports SQLite's module and the URL of its WebAssembly. For the package, Vite bundles it as one file: see vite.config.ts. */
export { default as sqlite3InitModule } from '@sqlite.org/sqlite-wasm'

/** Undefined if a bundler left no URL of this module: CommonJS has none. */
export function findSqliteWasm(): string | undefined {
  try {
    return new URL('sqlite3.wasm', import.meta.url).href
  } catch {
    return undefined
  }
}
