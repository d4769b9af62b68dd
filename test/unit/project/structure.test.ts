/**
 * Checks the layout of the repository: folders do not import each other in cycles, and files and folders stay small. What belongs
 * into which folder is in docs/architecture.md.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const mostLines = 300
const mostFiles = 25
const mostReadmeBytes = 9_000
const mostReadmeLines = 25

/** By path; code only, as far as it is in the work tree. */
const sources = codeIn('src', 'worker', 'demo', 'site')
const tests = codeIn('test')

test('folders do not import each other in cycles', () => {
  expect(cyclesOf(sources)).toEqual([])
})

test('files do not import each other in cycles, types included', () => {
  expect(cyclesOf(sources, (path) => path)).toEqual([])
})

test('control: a cycle of two files in one folder is found', () => {
  const files = new Map([
    ['a/one.ts', "import type { Two } from './two.ts'"],
    ['a/two.ts', "import { one } from './one.ts'"],
    ['a/three.ts', "/** {import('./two.ts').Two} */"],
  ])
  expect(cyclesOf(files, (path) => path)).toEqual([['a/one.ts', 'a/two.ts']])
})

test('control: a cycle of two folders and one of three are found, also of types', () => {
  const files = new Map([
    ['a/one.ts', "import type { B } from '../b/two.ts'"],
    ['b/two.ts', "export { c } from '../b/c/three.ts'"],
    ['b/c/three.ts', "const later = () => import('../../a/four.ts')"],
    ['a/four.ts', "import { five } from './five.ts'"],
    ['a/five.ts', ''],
    ['d/six.ts', "import './e/seven.ts'"],
    ['d/e/seven.ts', "import { six } from '../six.ts'"],
  ])
  expect(cyclesOf(files)).toEqual([
    ['a', 'b', 'b/c'],
    ['d', 'd/e'],
  ])
})

test(`a source file has at most ${mostLines} lines`, () => {
  expect(longFiles(sources)).toEqual([])
})

test(`a test file has at most ${mostLines} lines`, () => {
  expect(longFiles(tests)).toEqual([])
})

test('control: a file of one line more is found', () => {
  const files = new Map([
    ['a/long.ts', 'x\n'.repeat(mostLines + 1)],
    ['a/short.ts', 'x\n'.repeat(mostLines)],
  ])
  expect(longFiles(files)).toEqual(['a/long.ts'])
})

test(`a folder has at most ${mostFiles} files`, () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  expect(fullFolders(tracked.filter((path) => existsSync(join(root, path))))).toEqual([])
})

test(`README.md has at most ${mostReadmeBytes} bytes; tables and details belong into docs`, () => {
  expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(mostReadmeBytes)
})

test(`a README of a folder has at most ${mostReadmeLines} lines`, () => {
  const readmes = execFileSync('git', ['ls-files', '*/README.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  expect(readmes.length).toBeGreaterThan(30)
  const lengths = readmes.map((path) => [path, readFileSync(join(root, path), 'utf8').split('\n').length - 1] as const)
  expect(lengths.filter(([, lines]) => lines > mostReadmeLines)).toEqual([])
  // Control: what must stay a page of its own is longer.
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeGreaterThan(mostReadmeLines)
})

test('README.md has a command that runs the demo and one that runs the tests', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(['`npm install && npm start`', '`npm test`'].filter((command) => !readme.includes(command))).toEqual([])
})

test('control: a folder of one file more is found; files of subfolders do not count', () => {
  const files = Array.from({ length: mostFiles + 1 }, (_, i) => `a/${i}.ts`)
  expect(fullFolders(files)).toEqual(['a'])
  expect(fullFolders([...files.slice(1), 'a/b/1.ts'])).toEqual([])
})

function codeIn(...folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' }).split('\n')
  return new Map(
    paths
      .filter((path) => /\.(?:tsx?|mjs|css)$/.test(path) && existsSync(join(root, path)))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
}

function longFiles(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, text]) => (text.split('\n').length - 1 > mostLines ? [path] : []))
}

function fullFolders(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].flatMap(([folder, count]) => (count > mostFiles ? [folder] : []))
}

/** The sets of folders, or of other nodes, that reach each other through imports, types included. */
function cyclesOf(files: ReadonlyMap<string, string>, nodeOf = dirname): readonly (readonly string[])[] {
  const imported = new Map<string, Set<string>>()
  for (const [path, text] of files) {
    const node = nodeOf(path)
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
    for (const [, from = ''] of code.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)) {
      const target = normalize(join(dirname(path), from))
      if (!files.has(target) || nodeOf(target) === node) continue
      const targets = imported.get(node) ?? new Set()
      imported.set(node, targets.add(nodeOf(target)))
    }
  }
  const reachable = new Map([...imported.keys()].map((folder) => [folder, reach(imported, folder)]))
  const cycles = [...reachable].flatMap(([folder, others]) => {
    const cycle = [...others].filter((other) => reachable.get(other)?.has(folder)).sort()
    return cycle[0] === folder ? [cycle] : []
  })
  return cycles.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

/** The folders that a folder imports, directly or through others. Contains the folder itself only if it is in a cycle. */
function reach(imported: ReadonlyMap<string, ReadonlySet<string>>, folder: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const waiting = [...(imported.get(folder) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(imported.get(next) ?? []))
  }
  return seen
}
