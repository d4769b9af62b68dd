/**
 * Chooses the tests of `npm run test:changed`: of the test files in Node that the changed files reach, those of the same subject, near
 * and fast, until their usual times fill the budget. Changed tests and the answers in words come first.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { affinitiesTo, importersOf, readFrom, testsReaching } from '../../mutants/related-tests.ts'

export interface Choice {
  readonly chosen: readonly string[]
  /** How many test files the changes reach. */
  readonly reaching: number
}

export const root = resolve(import.meta.dirname, '../../..')

/** Names the records that an edit of ranking moves. */
const answers = 'test/golden/answers.test.ts'

/** They read the sources as text, so no import leads to them. */
const readers = {
  sources: ['test/unit/project/structure.test.ts'],
  pages: [
    'test/unit/project/laws.test.ts',
    'test/unit/project/figures.test.ts',
    'test/unit/project/plain-words.test.ts',
  ],
}

/** Of one test file, in seconds of processor time on a quiet machine; an unknown file counts 2. */
const usual: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('durations.json', import.meta.url), 'utf8'),
)

export const usualSeconds = (file: string): number => usual[file] ?? 2

export function chooseTests(changed: readonly string[], budget: number): Choice {
  const read = readFrom(root)
  const importers = importersOf(listSources(), read)
  const ranks = new Map<string, number>()
  for (const file of changed.filter((path) => isSource(path) && existsSync(join(root, path)))) {
    const reaching = testsReaching(file, importers)
    const affinities = affinitiesTo(
      `${file} ${read(file)}`,
      new Map([...reaching.keys()].map((path) => [path, read(path)] as const)),
    )
    for (const [path, distance] of reaching) {
      const isFirst = distance === 0 || (path === answers && /^(?:src\/core|worker)\//.test(file))
      const rank = isFirst ? -Infinity : distance / 2 + usualSeconds(path) / 4 - 8 * (affinities.get(path) ?? 0)
      ranks.set(path, Math.min(rank, ranks.get(path) ?? Infinity))
    }
  }
  for (const path of readersOf(changed)) ranks.set(path, -1000)
  const ordered = [...ranks].toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
  let sum = 0
  const chosen = ordered.filter(([path, rank]) => {
    const isWithin = rank === -Infinity || sum + usualSeconds(path) <= budget
    if (isWithin) sum += usualSeconds(path)
    return isWithin
  })
  return { chosen: chosen.map(([path]) => path), reaching: ranks.size }
}

/** Of the working tree, with new files. */
export function changedFiles(): readonly string[] {
  return [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')]
}

const readersOf = (changed: readonly string[]) => [
  ...(changed.some(isSource) ? readers.sources : []),
  ...(changed.some((path) => path.endsWith('.md')) ? readers.pages : []),
]

const isSource = (path: string) => /^(?:src|worker|test)\/.*(?<!\.d)\.ts$/.test(path)

const listSources = () =>
  git('ls-files', '-co', '--exclude-standard', 'src', 'worker', 'test').filter(
    (path) => isSource(path) && existsSync(join(root, path)),
  )

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
