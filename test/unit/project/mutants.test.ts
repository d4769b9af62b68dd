/** Tests the tool of `npm run mutants`: which changes it makes, which it chooses, and which tests it runs for them. */
import { describe, expect, it } from 'vitest'
import { applyMutant, isValid, mutantsOf } from '../../mutants/candidates.ts'
import { chooseMutants } from '../../mutants/choose.ts'
import { affinitiesTo, importersOf, testsReaching } from '../../mutants/related-tests.ts'

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

  it('control: a changed source is noticed', () => {
    expect(() => applyMutant(`// ${source}`, mutants[0] as never)).toThrow('has changed')
  })
})

describe('the tests of a mutant', () => {
  const texts = new Map([
    ['src/core/f.ts', 'export const f = 1'],
    ['src/core/g.ts', "import { f } from './f.ts'"],
    ['test/unit/core/g.test.ts', "import { g } from '../../../src/core/g.ts'\n// ranking"],
    ['test/unit/core/far.test.ts', "import type { F } from '../../../src/core/f.ts'"],
    ['test/browser/f.browser.test.ts', "import { f } from '../../src/core/f.ts'"],
    ['test/unit/core/late.test.ts', "const f = await import('../../../src/core/f.ts')\n// calendar"],
  ])
  const importers = importersOf([...texts.keys()], (path) => texts.get(path) as string)

  it('are those in Node that reach its source, not by a type', () => {
    expect([...testsReaching('src/core/f.ts', importers)]).toEqual([
      ['test/unit/core/late.test.ts', 1],
      ['test/unit/core/g.test.ts', 2],
    ])
  })

  it('share its words', () => {
    const affinities = affinitiesTo('calendar', texts)
    expect(affinities.get('test/unit/core/late.test.ts')).toBe(1)
    expect(affinities.get('test/unit/core/g.test.ts')).toBe(0)
  })
})
