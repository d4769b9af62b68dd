/** Tests the patched hnswlib-wasm: it evaluates no text as code, and the build fails when the package changes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import { hnswlibModule, patchHnswlib, patchHnswlibPlugin } from '../../../worker/vector/hnsw/patch-hnswlib.mjs'

const path = createRequire(import.meta.url).resolve('hnswlib-wasm/dist/hnswlib-317962d7.js')
const original = readFileSync(path, 'utf8')
const codeFromText = /(^|[^\w$.`])(new\s+)?Function\s*\(|[^\w$.`]eval\s*\(|newFunc\(Function/m

const anchors = [
  'function craftInvokerFunction(',
  'var argsList = "";',
  'return newFunc(Function, args1).apply(null, args2);',
  'function __emval_get_method_caller(',
  'var params = ["retType"];',
  'var invokerFunction = newFunc(Function, params).apply(null, args);',
  'FS.mount(IDBFS, {}, jsAllocatedDir);',
  'function syncIdb_js(populateFromFS) {',
  'catch (err) { Module.setIdbfsSynced(false); }',
  "if (!(typeof window == 'object' || typeof importScripts == 'function'))",
  'return hnswlib.ready',
]

describe('patching hnswlib-wasm', () => {
  test('leaves no code made from text, and no IndexedDB behind its files', () => {
    expect(original).toMatch(codeFromText)
    const patched = patchHnswlib(original)
    expect(patched).not.toMatch(codeFromText)
    expect(patched).not.toContain('FS.mount(IDBFS')
  })

  test.each(anchors)('fails when this is missing: %s', (anchor) => {
    expect(original).toContain(anchor)
    expect(() => patchHnswlib(original.replaceAll(anchor, '/* moved */'))).toThrow(/hnswlib-wasm must be version/)
  })

  test('fails when a function occurs twice, or an anchor is in the next function', () => {
    const head = 'function craftInvokerFunction('
    expect(() => patchHnswlib(`${original}\n${head}) {}`)).toThrow(/found twice/)
    const tail = 'return newFunc(Function, args1).apply(null, args2);'
    const moved = original.replace(tail, `}\n  function another() {\n      ${tail}`)
    expect(() => patchHnswlib(moved)).toThrow(/another function/)
  })

  test('fails when a third function is made from text', () => {
    for (const more of ['newFunc(Function, [])', 'new Function("return 1")', ' eval("1")'])
      expect(() => patchHnswlib(`${original};\n${more}`)).toThrow(/is left/)
  })

  test('is used by bundlers, also in their build of a worker', async () => {
    const bundled = async (patched: string | null) => {
      const entry = '\0entry'
      const source = `import factory from ${JSON.stringify(path)}; factory()`
      const swap = { name: 'swap', load: (id: string) => (id === path ? patched : null) }
      const result = (await build({
        configFile: false,
        logLevel: 'silent',
        worker: { plugins: () => [patchHnswlibPlugin()] },
        plugins: [
          {
            name: 'entry',
            resolveId: (id) => (id === entry ? id : null),
            load: (id) => (id === entry ? source : null),
          },
          ...(patched === null ? [] : [swap]),
          patchHnswlibPlugin(),
        ],
        build: { write: false, target: 'es2023', rolldownOptions: { input: entry } },
      })) as Rolldown.RolldownOutput
      return result.output.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n')
    }
    expect(hnswlibModule.test(path)).toBe(true)
    const code = await bundled(null)
    expect(code.length).toBeGreaterThan(500_000)
    expect(code).not.toMatch(codeFromText)
    await expect(bundled(original.replaceAll('var params = ["retType"];', ''))).rejects.toThrow(/must be version/)
  })
})
