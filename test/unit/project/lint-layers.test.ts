/**
 * Checks that tools enforce the layers of src/README.md: small wrong files, laid out like the repository, must fail
 * the linter or the compiler, each for its own reason, and correct files next to them must pass.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const imports = 'no-restricted-imports'
const globals = 'no-restricted-globals'
const properties = 'no-restricted-properties'

/** Folder of the file, its text, and the rule it breaks; null for text that must pass. */
const lintCases: readonly (readonly [string, string, string | null])[] = [
  ['src/core/text', "export { log } from '../number/log.ts'", null],
  ['src/core/text', "export { propagate } from '../collections/propagate.ts'", imports],
  ['src/core/text', "export type { Decide } from '../decide.ts'", imports],
  ['src/core/text', "export const later = import('../order/order.ts')", imports],
  ['src/core/text', "export type Order = import('../order/order.ts').Order", 'consistent-type-imports'],
  ['src/core/time', "export { tokenise } from '../text/tokenise/tokenise.ts'", null],
  ['src/core/time', "export { parseRecord } from '../ingest/parse-record.ts'", imports],
  ['src/core/time/languages', "export type { Language } from '../language.ts'", null],
  ['src/core/model', "export { log } from '../number/log.ts'", imports],
  ['src/core/number', "export { recallError } from '../model/errors.ts'", null],
  ['src/core/learning', "export { pow } from '../number/pow.ts'", null],
  ['src/core/learning', "export { parseRecord } from '../ingest/parse-record.ts'", imports],
  ['src/core/merge', "export { applyOutcome } from '../learning/apply-outcome.ts'", null],
  ['src/core/merge', "export { planWrite } from '../ingest/plan-write.ts'", imports],
  ['src/core/ingest', "export { nextStamp } from '../merge/stamp.ts'", null],
  ['src/core/ingest', "export { writeDecision } from '../learning/write-decision.ts'", null],
  ['src/core/ingest', "export { planQuery } from '../query/plan-query.ts'", imports],
  ['src/core/present', "export { score } from '../fusion/fusions.ts'", null],
  ['src/core/signals', "export { score } from '../fusion/fusions.ts'", imports],
  ['src/core/select', "export type { EngineApi } from '../../protocol/engine-api.ts'", imports],
  ['src/core/query', "export { readFileSync } from 'node:fs'", imports],
  ['src/core/query', "export { wrap } from 'comlink'", imports],
  ['src/core/assemble', "export { receiptOf } from '../present/receipt.ts'", null],
  ['src/core/assemble', "export type { Decision } from '../decide.ts'", imports],
  ['src/core/present', "export { merge } from '../assemble/merge.ts'", imports],
  ['src/core', "export { score } from './fusion/fusions.ts'", null],
  ['src/core', "export { open } from '../client/open.ts'", imports],

  ['src/core/signals', 'export const age = (nowMs: number, thenMs: number) => Math.max(nowMs - thenMs, 0)', null],
  ['src/core/signals', 'export const now = Date.now()', globals],
  ['src/core/signals', 'export const now = new Date()', globals],
  ['src/core/signals', 'export const now = globalThis.Date.now()', globals],
  ['src/core/signals', 'export const now = performance.now()', globals],
  ['src/core/signals', 'setTimeout(() => {}, 1)', globals],
  ['src/core/signals', 'export const bytes = new TextEncoder()', globals],
  ['src/core/signals', 'export const x = Math.log(2)', properties],
  ['src/core/signals', "export const x = Math['pow'](2, 0.5)", properties],
  ['src/core/signals', 'export const { cos } = Math', properties],
  ['src/core/signals', 'export const x = Math.random()', properties],
  ['src/core/signals', "export const order = 'a'.localeCompare('b')", properties],
  ['src/core/signals', "console.log('here')", 'no-console'],
  ['src/core/signals', 'export const x: any = 1', 'no-explicit-any'],
  ['src/core/signals', 'export default 1', 'no-default-export'],

  ['src/protocol', "export type { Hit } from '../core/model/result.ts'", null],
  ['src/protocol', "export type { Recall } from '../client/recall-client.ts'", imports],
  ['src/client', "export type { EngineApi } from '../protocol/engine-api.ts'", null],
  ['src/client', "export { engine } from '../../worker/engine/engine.ts'", imports],
  ['src/client', "export { staticEmbedder } from '../embedders/static.ts'", imports],
  ['src/embedders', "export { wrap } from 'comlink'", null],
  ['src/embedders', "export { open } from '../client/open.ts'", imports],
  ['src/devtools', "export { open } from '../client/open.ts'", imports],
  ['src/devtools', "export type { Recall } from '../client/api/recall.ts'", null],
  ['src/tools', "export type { Recall } from '../client/api/recall.ts'", null],
  ['src/tools', "export { open } from '../client/open.ts'", imports],
  ['src/ai-sdk', "export { tool } from 'ai'", null],
  ['src/ai-sdk', "export { open } from '../client/open.ts'", imports],
  ['src/langgraph', "export { BaseStore } from '@langchain/langgraph-checkpoint'", null],
  ['src/langgraph', "export { open } from '../client/open.ts'", imports],
  ['src/import/notes', "export { parse } from 'yaml'", null],
  ['src/import/notes', "export { log } from '../../core/number/log.ts'", null],
  ['src/import/notes', "export { open } from '../../client/open.ts'", imports],
  ['src/import/notes', "export { marked } from 'marked'", imports],
  ['src/replicate', "export { encodeFrame } from '../protocol/export-format/frames.ts'", null],
  ['src/replicate', "export { open } from '../client/open.ts'", imports],
  ['src/server', "export { createServer } from 'node:http'", null],
  ['src/server', "export { open } from '../client/open.ts'", imports],
  ['src/langchain', "export { Document } from '@langchain/core/documents'", null],
  ['src/langchain', "export { open } from '../client/open.ts'", imports],
  ['src/vue', "export { ref } from 'vue'", null],
  ['src/vue', "export { useState } from 'react'", imports],
  ['src/svelte', "export { readable } from 'svelte/store'", null],
  ['src/svelte', "export { engine } from '../../worker/engine/engine.ts'", imports],
  ['src/mcp', "export { Server } from '@modelcontextprotocol/server'", null],
  ['src/mcp', "export { open } from '../client/open.ts'", imports],
  ['src/cli', "export { serveMcp } from '../mcp/index.ts'", null],
  ['src/cli', "export { useRecall } from '../react/index.ts'", imports],
  ['src/react', "export { useState } from 'react'", null],
  ['src/react', "export { createClient } from '../client/recall-client.ts'", imports],

  ['worker/methods/records', "export type { Store } from '../../store/port/store.ts'", null],
  ['worker/methods/records', "export type { OpenStorage } from '../../storage/common/port.ts'", null],
  ['worker/methods/records', "export { openStore } from '../../store/sqlite-store.ts'", imports],
  ['worker/methods/records', "export { createExactIndex } from '../../vector/exact/exact.ts'", imports],
  ['worker/methods/records', "export { memory } from '../../storage/memory.ts'", imports],
  ['worker/methods/records', "export { lead } from '../../tabs/leader.ts'", imports],
  ['worker/methods/records', "export { open } from '../../../src/client/open.ts'", imports],
  ['worker/methods/records', 'export const now = Date.now()', null],
  ['worker/retrieval', "export { openDatabase } from '../sqlite/sqlite-database.ts'", imports],
  ['worker/retrieval', "export { isConvex } from '../../src/core/model/policy.ts'", imports],
  ['worker/retrieval', "export type { Policy } from '../../src/core/model/policy.ts'", null],
  ['src/core/text/hash', "export { log } from '../../number/log.ts'", null],
  ['src/core/text/hash', "export { stem } from '../tokenise/stem.ts'", null],
  ['src/core/text/hash', "export { propagate } from '../../collections/propagate.ts'", imports],
  ['worker/rpc', "export { openStore } from '../store/sqlite-store.ts'", imports],
  ['worker/store', "export { openDatabase } from '../sqlite/sqlite-database.ts'", null],
  ['worker/store', "export { memory } from '../storage/memory.ts'", imports],
  ['worker/storage', "export { openDatabase } from '../sqlite/sqlite-database.ts'", null],
  ['worker/storage', "export { openStore } from '../store/sqlite-store.ts'", imports],

  ['demo', "export { openRecall } from 'scrubjay'", null],
  ['demo', "export { decide } from 'scrubjay/core'", null],
  ['demo', "export { note } from './note.ts'", null],
  ['demo', "export { openRecall } from '../src/index.ts'", imports],
  ['demo/views', "export { engine } from '../../worker/engine/engine.ts'", imports],
  ['demo', "export { wrap } from 'comlink'", imports],
]

/** Files for which the configuration makes exceptions by name. */
const namedCases: readonly (readonly [string, string, string | null])[] = [
  ['worker/engine/engine.ts', "export { openStore } from '../store/sqlite-store.ts'", null],
  ['worker/inline.ts', "export { memory } from './storage/memory.ts'", null],
  ['worker/engine/engine.ts', "export { open } from '../../src/client/open.ts'", imports],
  ['src/client/open-node.ts', "export const start = () => import('../../worker/inline.ts')", null],
  ['src/client/open-node.ts', "export const start = () => import('../../worker/engine/engine.ts')", imports],
  ['src/index.ts', "export { openRecall } from './client/open.ts'", null],
  ['src/index.ts', "export { engine } from '../worker/engine.ts'", imports],
  ['vite.config.ts', 'export default {}', null],
]

let folder = ''
const rulesByFile = new Map<string, ReadonlySet<string>>()

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'layers-'))
  lintCases.forEach(([where, text], at) => write(join('loose', where, `case-${at}.ts`), text))
  namedCases.forEach(([path, text], at) => write(join(`named-${at}`, path), text))
  lint('loose')
  namedCases.forEach((_, at) => lint(`named-${at}`))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the linter', () => {
  it.each(
    lintCases.map(([where, text, rule], at) => ({ where, text, rule, path: join('loose', where, `case-${at}.ts`) })),
  )('$where: $text → $rule', ({ path, rule }) =>
    expect([...(rulesByFile.get(path) ?? [])]).toEqual(rule === null ? [] : [rule]),
  )

  it.each(namedCases.map(([path, text, rule], at) => ({ path, text, rule, full: join(`named-${at}`, path) })))(
    '$path: $text → $rule',
    ({ full, rule }) => expect([...(rulesByFile.get(full) ?? [])]).toEqual(rule === null ? [] : [rule]),
  )
})

describe("the compiler, with core's options", () => {
  it('passes code that needs no platform', () => {
    expect(compile('export const half = (x: number): number => Math.floor(x / 2)')).toEqual({
      passes: true,
      missing: [],
    })
  })

  it.each(['setTimeout', 'document', 'TextEncoder', 'performance', 'process', 'console', 'Buffer', 'structuredClone'])(
    'fails on %s',
    (name) => {
      expect(compile(`export const used = ${name}`)).toEqual({ passes: false, missing: [name] })
    },
  )
})

describe('src/core', () => {
  // No rule of the linter knows the operator, and engines may compute it in any way.
  it('[D1] has no ** operator', () => {
    expect(usesPower("const a = 2 ** 0.5 // 'a'")).toBe(true)
    expect(usesPower("/** 2 ** 3 */ const a = 'b ** c' // d ** e")).toBe(false)
    const core = join(root, 'src/core')
    const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    expect(files).toContain(join('number', 'pow.ts'))
    expect(files.filter((file) => usesPower(readFileSync(join(core, file), 'utf8')))).toEqual([])
  })
})

function write(path: string, text: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true })
  writeFileSync(join(folder, path), `${text}\n`)
}

function lint(layout: string): void {
  const cwd = join(folder, layout)
  copyFileSync(join(root, '.oxlintrc.json'), join(cwd, '.oxlintrc.json'))
  const { stdout } = run(cwd, 'oxlint/bin/oxlint', ['--format', 'json'])
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  for (const { code, filename } of diagnostics) {
    const path = join(layout, filename)
    rulesByFile.set(path, new Set(rulesByFile.get(path)).add(code.replace(/^.*\((.*)\)$/, '$1')))
  }
}

function compile(text: string): { passes: boolean; missing: string[] } {
  write('compile/case.ts', text)
  write('compile/package.json', '{ "type": "module" }')
  const options = { noEmit: true, composite: false, rootDir: '.', tsBuildInfoFile: null }
  write(
    'compile/tsconfig.json',
    JSON.stringify({ extends: join(root, 'src/core/tsconfig.json'), compilerOptions: options, include: ['case.ts'] }),
  )
  const { status, stdout } = run(join(folder, 'compile'), 'typescript/bin/tsc', ['--pretty', 'false'])
  return {
    passes: status === 0,
    missing: [...stdout.matchAll(/error TS2\d+: Cannot find name '(\w+)'/g)].map((match) => match[1] ?? ''),
  }
}

function run(cwd: string, program: string, parameters: readonly string[]): { status: number | null; stdout: string } {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', program), ...parameters],
    { cwd, encoding: 'utf8' },
  )
  if (error !== undefined || stdout === '')
    expect({ error, stderr, status }).toEqual({ error: undefined, stderr: '', status: 0 })
  return { status, stdout }
}

function usesPower(source: string): boolean {
  const withoutComments = source.replace(
    /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    '',
  )
  return withoutComments.includes('**')
}
