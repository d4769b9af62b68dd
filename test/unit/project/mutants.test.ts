/** Tests the tool of `npm run mutants`: which sources it changes and how, what it chooses, and which tests it runs for them. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyMutant, isValid, mutantsOf } from '../../mutants/candidates.ts'
import { chooseMutants } from '../../mutants/choose.ts'
import { affinitiesTo, importersOf, readFrom, runsPrograms, testsReaching } from '../../mutants/related-tests.ts'
import { areaOf, shippedRoots, shippedSources } from '../../mutants/shipped.ts'
import { root } from '../../support/install-package.ts'

const source = `import { a } from './a.ts'
export function f(x: number, y: 3 | 4 = 3): x is 4 {
  if (x < y && !a(x)) return false
  a.log(x ?? 1)
  throw new Error('less than ' + 5)
}`

describe('mutants of a source', () => {
  const mutants = mutantsOf('src/core/f.ts', source)

  it('change a condition, an operator, a constant, or remove a statement; each can be parsed', () => {
    const made = mutants.map((mutant) => applyMutant(source, mutant).split('\n')[mutant.line - 1])
    expect(made).toEqual(
      expect.arrayContaining([
        '  if (x <= y && !a(x)) return false',
        '  if ((x < y || !a(x))) return false',
        '  if (!(x < y && !a(x))) return false',
        '  if (x < y && a(x)) return false',
        '  if (x < y && !a(x)) return true',
        '  a.log(x ?? 2)',
        '  a.log((x))',
        '  ;',
      ]),
    )
    for (const mutant of mutants) expect(isValid(applyMutant(source, mutant)), mutant.becomes).toBe(true)
  })

  it('leave types, imports and the texts of errors alone', () => {
    for (const { was, line } of mutants) {
      expect(line).not.toBe(1)
      expect(line).not.toBe(5)
      expect(was).not.toBe('4')
    }
  })

  it('are chosen by seed, at most three of a file', () => {
    const all = [...mutants, ...mutantsOf('worker/g.ts', source), ...mutantsOf('src/client/h.ts', source)]
    const choose = (seed: number) => chooseMutants(all, 20, seed, () => source)
    expect(choose(1)).toEqual(choose(1))
    expect(choose(1)).not.toEqual(choose(2))
    expect(choose(1).filter(({ file }) => file === 'src/core/f.ts')).toHaveLength(3)
    expect(new Set(choose(1).map(({ file }) => file)).size).toBe(3)
  })

  it('are of each area, also of a small one, up to the count', () => {
    const large = Array.from({ length: 40 }, (_, i) => mutantsOf(`src/core/f${i}.ts`, source)).flat()
    const chosen = chooseMutants([...large, ...mutantsOf('src/vue/g.ts', source)], 12, 1, () => source)
    expect(chosen).toHaveLength(12)
    expect(new Set(chosen.map(({ file }) => areaOf(file)))).toEqual(new Set(['src/core', 'src/vue']))
  })

  it('control: a changed source is noticed', () => {
    expect(() => applyMutant(`// ${source}`, mutants[0] as never)).toThrow('has changed')
  })
})

describe('the sources', () => {
  const packages = ['', 'languages'].map((folder) => ({
    folder,
    files: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).files as string[],
  }))
  const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const mutated = shippedSources(paths, shippedRoots(packages))

  it('are those of every folder that ships, with mutants in each', () => {
    const folders = (path: string) =>
      readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [`${path}/${entry.name}`] : [],
      )
    // The kernel is compiled to WebAssembly, and is generated.
    const shipped = ['src', 'worker'].flatMap(folders).filter((path) => path !== 'worker/kernel')
    const read = readFrom(root)
    const without = [...shipped, 'languages'].filter(
      (folder) => !mutated.some((path) => path.startsWith(`${folder}/`) && mutantsOf(path, read(path)).length > 0),
    )
    // One exported URL: there is nothing to change in it.
    expect(without).toEqual(['languages'])
    expect(mutated).toContain('languages/index.js')
    expect(mutated.filter((path) => /^(?:test|demo|site|docs)\//.test(path))).toEqual([])
  })

  it('follow package.json: a new folder in it is mutated', () => {
    const roots = shippedRoots([
      { folder: '', files: ['dist/lib', '!dist/lib/x.map', 'dist/worker/a.js', 'docs/*.md'] },
      { folder: 'more', files: ['index.js', 'index.d.ts', 'table.bin'] },
    ])
    expect(roots).toEqual(['lib/', 'worker/', 'more/index.js'])
    expect(shippedSources(['lib/a.ts', 'lib/a.d.ts', 'more/index.js', 'other/b.ts'], roots)).toEqual([
      'lib/a.ts',
      'more/index.js',
    ])
  })

  it('are also built, for tests that start programs', () => {
    expect(runsPrograms("run('dist/src/cli/main.js')")).toBe(true)
    expect(runsPrograms("import { runCli } from '../../src/cli/run.ts'")).toBe(false)
  })
})

describe('the tests of a mutant', () => {
  const texts = new Map([
    ['src/core/f.ts', 'export const f = 1'],
    ['src/core/g.ts', "import { f } from './f.ts'"],
    ['test/unit/core/g.test.ts', "import { g } from '../../../src/core/g.ts'\n// ranking"],
    ['test/unit/core/far.test.ts', "import type { F } from '../../../src/core/f.ts'"],
    ['test/browser/f.browser.test.ts', "import { f } from '../../src/core/f.ts'"],
    ['src/cli/main.ts', "import '../core/g.ts'"],
    ['test/integration/program.test.ts', "run('dist/src/cli/main.js')"],
    ['test/unit/core/late.test.ts', "const f = await import('../../../src/core/f.ts')\n// calendar"],
  ])
  const importers = importersOf([...texts.keys()], (path) => texts.get(path) as string)

  it('are those in Node that reach its source, not by a type', () => {
    expect([...testsReaching('src/core/f.ts', importers)]).toEqual([
      ['test/unit/core/late.test.ts', 1],
      ['test/unit/core/g.test.ts', 2],
      ['test/integration/program.test.ts', 3],
    ])
  })

  it('share its words', () => {
    const affinities = affinitiesTo('calendar', texts)
    expect(affinities.get('test/unit/core/late.test.ts')).toBe(1)
    expect(affinities.get('test/unit/core/g.test.ts')).toBe(0)
  })
})
