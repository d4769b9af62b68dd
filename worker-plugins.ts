/**
 * The bundler's plugins for dist/worker; `vite.config.ts` and `bundle/build.ts` say which build has which. They fit modules and URLs to workers, to
 * Node and to consumers' bundlers.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'

const wasmPlaceholder = 'SCRUBJAY_SQLITE_WASM'
const sqliteWasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')

/** SQLite's module for browsers. Its build for Node loads its modules in a way that server bundlers break. */
export const sqliteModule = resolve(dirname(sqliteWasm), 'index.mjs')

/** Makes small files larger than 4 kB: Vite would turn them into data: URLs, which content security policies refuse. */
export function neverInlined(): Plugin {
  const least = 4_200
  return {
    name: 'scrubjay:never-inlined',
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue
        const lacking = least - file.code.length
        if (lacking > 0) file.code += `/*${' '.repeat(lacking)}*/\n`
      }
    },
  }
}

/** Unused parts of SQLite's module that begin with these lines. A `return` in front lets the minifier remove them. */
const unusedParts = [
  // `instantiateWasm` is set.
  'if (!binary) try {',
  'sqlite3.initWorker1API = function() {',
  'if (!sqlite3.wasm.exports.sqlite3_declare_vtab) return;',
  'if (sqlite3.config.disable?.vfs?.kvvfs) return;',
  'if (sqlite3.config.disable?.vfs?.opfs && sqlite3.config.disable.vfs["opfs-vfs"]) return;',
  'if (!sqlite3.opfs || sqlite3.config.disable?.vfs?.opfs) return;',
  'if (!sqlite3.opfs || sqlite3.config.disable?.vfs?.["opfs-wl"]) return;',
  // Calls of another worker.
  'if (1 === arguments.length && "function" === typeof arguments[0]) {',
  'if ("function" == typeof config) {',
  // Methods of its database and statements: only the constructor, the pointer and `close` are used.
  'const arg = parseExecArgs(this, arguments);',
  'const isFunc = (f) => f instanceof Function;',
  'switch (void 0 === asType ? capi.sqlite3_column_type',
  'const stmt = db.prepare(sql);',
  'const stmt = this.prepare(sql), rc = [];',
  'const p = affirmDbOpen(this).pointer;',
  'const pVfs = capi.sqlite3_js_db_vfs(affirmDbOpen',
  'affirmDbOpen(this).exec("SAVEPOINT oo1");',
  'const n = "number" === typeof key ? key : capi',
  'let t = BindTypes[null === v',
  'let opener = "BEGIN";',
  'affirmNotLockedByExec(affirmStmtOpen(stmt), "bind()");',
  // Functions that nothing calls: settings of the library, collations, extensions, files by VFS, repetition, sessions.
  'if (arguments.length < 2) return capi.SQLITE_MISUSE;',
  'if (6 !== arguments.length) return __dbArgcMismatch',
  'if (fPtr instanceof Function) fPtr = wasm',
  'if (!fPtr || 1 !== arguments.length',
  'wasm.exports.sqlite3_reset_auto_extension();',
  'if (data && wasm.isPtr(data)) pData = data;',
  'config.warn("sqlite3_js_vfs_create_file() is',
  'for (let n = 1; n <= maxTimes; ++n) try {',
  'impl = capi[impl];',
  'const n = sah.getSize() - HEADER_OFFSET_DATA;',
  // Files of Emscripten's own file system that are loaded later, or before.
  'class LazyUint8Array {',
  'if (globalThis.XMLHttpRequest) abort("Lazy loading',
  'var fullname = name ? PATH_FS.resolve(PATH.join2(parent, name)) : parent;\n\t\tvar dep',
]

/** [text that must occur exactly once, its replacement]. */
const trims: readonly (readonly [string, string])[] = [
  // worker/sqlite/load-sqlite-wasm.ts loads and compiles it.
  ['return new URL("sqlite3.wasm", import.meta.url).href', 'return ""'],
  ['new Worker(new URL("sqlite3-worker1.mjs", import.meta.url), { type: "module" })', 'undefined'],
  ['new URL("sqlite3-opfs-async-proxy.js", import.meta.url)', 'new URL("about:blank")'],
  // Sessions record changes for another database, and see each before it is made.
  [
    'if (wasm.bigIntEnabled && !!wasm.exports.sqlite3_preupdate_hook) bindingSignatures',
    'if (false) bindingSignatures',
  ],
  [
    'if (wasm.bigIntEnabled && !!wasm.exports.sqlite3changegroup_add',
    'if (false && !!wasm.exports.sqlite3changegroup_add',
  ],
  ...unusedParts.map((start) => [start, `return; ${start}`] as const),
  ['if (capi.sqlite3session_create) {', 'if (false) {'],
  // Its statements: without a use the object is left out.
  ['Stmt.prototype = {', 'const unused = {'],
  // Whole databases are not imported into pools of files.
  ['async importDbChunked(name, callback) {', 'async importDbChunked(name, callback) { return;'],
  ['else if (bytes instanceof Function) return this.importDbChunked(name, bytes);', 'return;'],
  [
    'const __sqlite3CreateWindowFunction = wasm.exports.sqlite3_create_window_function ?',
    'const __sqlite3CreateWindowFunction = false ?',
  ],
  // Virtual tables of the page.
  ['if (wasm.bigIntEnabled && !!wasm.exports.sqlite3_declare_vtab) bind', 'if (false) bind'],
  // The head of the file already has licence and version.
  ...['\n\t\t**\n\t\t** LICENSE', '\n\t\t** This code was built'].map(
    (text) => [`\t\t/* @preserve${text}`, `\t\t/* as above${text}`] as const,
  ),
]

/** Emscripten also offers SQLite's functions as members of its module. SQLite's own code and ours call the exports. */
const exportedTwice = /Module\["_sqlite3\w+"\] = wasmExports\["sqlite3\w+"\];/g

/** Removes unused parts of SQLite's module, and the URLs of three files: two are unused, and sqlite3.wasm is loaded by our own code. */
export function trimSqlite(): Plugin {
  return {
    name: 'scrubjay:trim-sqlite',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /@sqlite\.org\/sqlite-wasm\/dist\/index\.mjs$/ },
      // Only strings within one line are replaced, so the old source map stays valid.
      handler: (code) => ({
        code: trims.reduce((trimmed, [from, to]) => replaceOnce(trimmed, from, to), code).replaceAll(exportedTwice, ''),
        map: null,
      }),
    },
  }
}

/** Copies sqlite3.wasm into the worker's folder and keeps its URL unchanged, so that a consumer's bundler finds it, too. */
export function sqliteWasmByUrl(): Plugin {
  return {
    name: 'scrubjay:sqlite-wasm-by-url',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /worker\/sqlite\/sqlite-module\.ts$/ },
      handler: (code) => ({ code: replaceOnce(code, "'sqlite3.wasm'", wasmPlaceholder), map: null }),
    },
    // After the minifier, which would rewrite the string that bundlers look for.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.code.includes(wasmPlaceholder)) {
          file.code = replaceOnce(file.code, wasmPlaceholder, '"sqlite3.wasm"')
          this.emitFile({ type: 'asset', fileName: 'sqlite3.wasm', source: readFileSync(sqliteWasm) })
        }
      }
    },
  }
}

/** Removes the functions that read files in Node from the builds of workers. */
export function withoutFiles(): Plugin {
  return {
    name: 'scrubjay:without-files',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /(src\/protocol\/package-files|worker\/sqlite\/read-sqlite-wasm)\.ts$/ },
      handler: (code) => ({
        code: Array.from(
          code.matchAll(/^export (?:async )?function (\w+)/gm),
          ([, name]) => `export const ${name} = () => false`,
        ).join('\n'),
        map: null,
      }),
    },
  }
}

/**
 * The worker loads hnsw.js by a URL, which consumers' bundlers find and copy like that of sqlite3.wasm. The comments in the
 * import keep bundlers from resolving it themselves.
 */
export function hnswByUrl(): Plugin {
  return fileByUrl('hnsw', /worker\/vector\/hnsw\/load-hnsw\.ts$/, "return import('./accelerator.ts')")
}

/** The same for lock.js. */
export function lockByUrl(): Plugin {
  return fileByUrl('lock', /worker\/engine\/load-lock\.ts$/, "return import('./locked.ts')")
}

function fileByUrl(name: string, id: RegExp, statement: string): Plugin {
  const placeholder = `SCRUBJAY_${name.toUpperCase()}`
  return {
    name: `scrubjay:${name}-by-url`,
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id },
      handler: (code) =>
        replaceOnce(
          code,
          statement,
          `return import(/* @vite-ignore */ /* webpackIgnore: true */ new URL(${placeholder}, import.meta.url).href)`,
        ),
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.code.includes(placeholder))
          file.code = replaceOnce(file.code, placeholder, `"${name}.js"`)
      }
    },
  }
}

/** The same for the file of each language. */
export function languagesByUrl(): Plugin {
  const placeholder = /SCRUBJAY_LANGUAGE_([a-z]+)/g
  return {
    name: 'scrubjay:languages-by-url',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /worker\/languages\/load-languages\.ts$/ },
      handler: (code) => ({
        code: code.replaceAll(
          /import\('\.\/files\/([a-z]+)\.ts'\)/g,
          'import(/* @vite-ignore */ /* webpackIgnore: true */ new URL(SCRUBJAY_LANGUAGE_$1, import.meta.url).href)',
        ),
        map: null,
      }),
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = file.code.replaceAll(placeholder, '"language-$1.js"')
    },
  }
}

function replaceOnce(code: string, from: string, to: string): string {
  const parts = code.split(from)
  if (parts.length !== 2) throw new Error(`Expected ${from} once, found it ${parts.length - 1} times.`)
  return parts.join(to)
}
