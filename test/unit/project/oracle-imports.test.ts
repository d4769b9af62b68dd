/**
 * Checks that oracles import only types from the engine: an oracle that shares code with the engine shares its
 * mistakes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const support = new URL('../../support/', import.meta.url)
const oracles = [
  ...readdirSync(new URL('oracles/', support)).map((name) => `oracles/${name}`),
  'brute-force.ts',
  'fts5-oracle.ts',
  'scope-oracle.ts',
  'substring-oracle.ts',
].filter((name) => name.endsWith('.ts'))

/** The only imports an oracle may run: other oracles, the seeded generator, SQLite and Node. */
const allowed = [/^node:/, /^@sqlite\.org\/sqlite-wasm$/, ...[...oracles, 'random.ts'].map(ending)]

/** `./oracles/a.ts` and `../a.ts` by the last part of the path. */
function ending(name: string): RegExp {
  return new RegExp(`^\\.{1,2}/(?:oracles/)?${name.replace(/^oracles\//, '').replaceAll('.', '\\.')}$`)
}

/** The modules that a module runs: every import and re-export except those of types. */
function modulesRun(source: string): readonly string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\s)([^'";]*?from\s+)?['"]([^'"]+)['"]/gm)
  const others = source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  const typesAlone = (clause = '') => /^\{(?:\s*type\s+[^,}]+,?)+\s*\}\s*from/.test(clause.trim())
  return [
    ...[...statements].flatMap(([, clause, name = '']) => (typesAlone(clause) ? [] : [name])),
    ...[...others].map(([, name = '']) => name),
  ]
}

const forbidden = (source: string) => modulesRun(source).filter((name) => !allowed.some((one) => one.test(name)))

describe('an oracle', () => {
  test.each(oracles)('%s runs no code of the engine', (name) => {
    expect(forbidden(readFileSync(new URL(name, support), 'utf8'))).toEqual([])
  })

  test('there are as many as there should be', () => {
    expect(oracles.length).toBeGreaterThanOrEqual(12)
  })
})

test.each([
  ["import { stem } from '../../../src/core/text/stem.ts'", ['../../../src/core/text/stem.ts']],
  [
    "import { type RecordInput, textFields } from '../../../src/core/model/record.ts'",
    ['../../../src/core/model/record.ts'],
  ],
  ["import * as engine from '../../../worker/engine/engine.ts'", ['../../../worker/engine/engine.ts']],
  ["import '../../../src/index.ts'", ['../../../src/index.ts']],
  ["export { cosine } from '../../../src/core/similarity/cosine.ts'", ['../../../src/core/similarity/cosine.ts']],
  ["const late = await import('../../../src/index.ts')", ['../../../src/index.ts']],
  ["import {\n  a,\n  b,\n} from '../../open-engine.ts'", ['../../open-engine.ts']],
  ["import type { Outcome } from '../../../src/core/model/learned.ts'", []],
  ["import { type A, type B } from '../../../src/core/model/query.ts'", []],
  ["import { descending } from '../oracle-record.ts'\nimport { createHash } from 'node:crypto'", []],
])('control: %s', (source, found) => {
  expect(forbidden(source)).toEqual(found)
})
