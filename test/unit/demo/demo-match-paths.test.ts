/** Tests which file of a picked folder a stored path means in the demo, and where that is ambiguous. */
import { expect, test } from 'vitest'
import { matchPaths } from '../../../demo/search/import/match-paths.ts'

const files = ['README.md', 'src/index.ts', 'src/text/stem.ts', 'src/core/index.ts', 'worker/README.md']

test('a path is found unchanged, below the name of the folder, and by an end that only one file has', () => {
  const stored = ['src/text/stem.ts', 'project/src/text/stem.ts', './text/stem.ts', '../text/stem.ts', 'stem.ts']
  const { present, missing, unknown } = matchPaths(stored, 'project', files)
  expect([...present]).toEqual(stored.map((path) => [path, 'src/text/stem.ts']))
  expect([missing, unknown]).toEqual([[], []])
})

test('a folder within the project decides only about its own part', () => {
  const { present, missing, unknown } = matchPaths(['src/core/a.ts', 'src/core/b.ts', 'test/a.ts'], 'src', [
    'core/a.ts',
  ])
  expect([...present]).toEqual([['src/core/a.ts', 'core/a.ts']])
  expect([missing, unknown]).toEqual([['src/core/b.ts'], ['test/a.ts']])
})

test('only a path whose first folder is here can be missing; several matches or none mean unknown', () => {
  const { present, missing, unknown } = matchPaths(['src/gone.ts', 'core/gone.ts', 'index.ts', 'garden.md'], 'p', files)
  expect(present.size).toBe(0)
  expect(missing).toEqual(['src/gone.ts'])
  expect(unknown).toEqual(['core/gone.ts', 'index.ts', 'garden.md'])
})

test('control: an exact path wins over an end that others share', () => {
  const { present } = matchPaths(['README.md', 'worker/README.md'], 'worker', files)
  expect(present.get('README.md')).toBe('README.md')
  expect(present.get('worker/README.md')).toBe('worker/README.md')
})
