/**
 * Orders the tests in Node that reach a source by imports: those with the shortest way first, of these the fastest. A type
 * import reaches nothing, since it runs nothing.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * Of each path, how much its text shares with the text of the source, from 0 to 1: words count by their rarity, so that tests of a
 * subject are found also where all tests reach the source in the same number of imports.
 */
export function affinitiesTo(source: string, texts: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const words = new Map([...texts].map(([path, text]) => [path, wordsOf(`${path} ${text}`)] as const))
  const frequency = new Map<string, number>()
  for (const set of words.values()) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const rarity = (word: string) => Math.log(texts.size / (frequency.get(word) ?? texts.size)) ** 2
  const wanted = [...wordsOf(source)]
  const sums = [...words].map(([path, set]) => {
    const shared = wanted.reduce((sum, word) => sum + (set.has(word) ? rarity(word) : 0), 0)
    return [path, shared / Math.sqrt(30 + set.size)] as const
  })
  const most = Math.max(...sums.map(([, sum]) => sum), Number.MIN_VALUE)
  return new Map(sums.map(([path, sum]) => [path, sum / most]))
}

const wordsOf = (text: string) => new Set((text.match(/[A-Z]?[a-z]{3,}/g) ?? []).map((word) => word.toLowerCase()))

/** Of each test file that reaches the source: the number of imports from one to the other. */
export type Distances = ReadonlyMap<string, number>

/**
 * @param paths all TypeScript files of the tree, relative to it
 * @param sources of these, by path
 */
export function importersOf(
  paths: readonly string[],
  read: (path: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(paths)
  const importers = new Map<string, string[]>()
  for (const path of paths) {
    for (const target of importsOf(read(path))) {
      const imported = importedPath(path, target)
      if (!known.has(imported)) continue
      const list = importers.get(imported)
      if (list === undefined) importers.set(imported, [path])
      else list.push(path)
    }
  }
  return importers
}

export function testsReaching(file: string, importers: ReadonlyMap<string, readonly string[]>): Distances {
  const distances = new Map([[file, 0]])
  const queue = [file]
  for (const path of queue) {
    for (const importer of importers.get(path) ?? []) {
      if (distances.has(importer)) continue
      distances.set(importer, (distances.get(path) as number) + 1)
      queue.push(importer)
    }
  }
  return new Map([...distances].filter(([path]) => isNodeTest(path)))
}

export const readFrom = (root: string) => (path: string) => readFileSync(join(root, path), 'utf8')

const isNodeTest = (path: string) =>
  /^test\/(unit|property|contract|integration|parity|golden)\/.*\.test\.ts$/.test(path) &&
  !path.endsWith('.browser.test.ts')

/** A test that names a program of `dist` runs what the build made of its source. */
function importedPath(path: string, target: string): string {
  if (target === '#inline') return 'worker/inline.ts'
  if (target.startsWith('dist/')) return target.replace(/^dist\//, '').replace(/\.js$/, '.ts')
  return normalize(join(dirname(path), target))
}

const programs = /\bdist\/src\/[\w/-]+\.js\b/g

/** Whether a test runs a built program, so that a mutant must be built, too. */
export const runsPrograms = (source: string): boolean => source.search(programs) >= 0

function* importsOf(source: string): Generator<string> {
  for (const [program] of source.matchAll(programs)) yield program
  const statement =
    /^(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  for (const [, still, later] of source.matchAll(statement)) {
    const target = (still ?? later) as string
    if (target.startsWith('.') || target.startsWith('#')) yield target
  }
}
