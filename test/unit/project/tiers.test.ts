/** Checks the tier of `npm test`: each law has a test in Node there, and each law of the browsers one in Chromium. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isQuoted, parseLaws } from '../../support/laws-page.ts'
import { isQuickFile, quickBrowserFiles, quickNodeFiles, slowNodeFiles } from '../../support/tiers/tiers.ts'

const root = join(import.meta.dirname, '../../..')
const { laws, files } = parseLaws(`${read('docs/laws.md')}\n${read('test/laws.md')}`)
const quick = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter(isQuickFile)
const inChromium = quick.filter((path) => path.endsWith('.browser.test.ts'))
const inNode = quick.filter((path) => !path.endsWith('.browser.test.ts'))
/** The page names a test in browsers for them. */
const lawsOfBrowsers = laws.filter((id) => files.get(id)?.some((path) => path.startsWith('test/browser/')))

test('every law has a test in Node', () => {
  expect(laws.length).toBeGreaterThan(40)
  expect(missing(laws, inNode)).toEqual([])
})

test('every law of the browsers has a test in Chromium', () => {
  expect(lawsOfBrowsers.length).toBeGreaterThan(5)
  expect(missing(lawsOfBrowsers, inChromium)).toEqual([])
})

test('every file of the lists exists, and a part of the tests is left to `npm run test:all`', () => {
  const paths = [...quickNodeFiles.filter((path) => !path.includes('*')), ...quickBrowserFiles, ...slowNodeFiles]
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(isQuickFile('test/property/why.test.ts')).toBe(false)
  expect(isQuickFile('test/browser/hnsw.browser.test.ts')).toBe(false)
})

test('control: a law whose file is left out is found', () => {
  const without = (name: string, paths: readonly string[]) => paths.filter((path) => !path.includes(name))
  expect(missing(laws, without('stores/copies', inNode))).toEqual(['R12'])
  expect(missing(lawsOfBrowsers, without('long-calls', inChromium))).toEqual(['Q6'])
})

const missing = (ids: readonly string[], paths: readonly string[]) => {
  const texts = paths.map(read)
  return ids.filter((id) => !isQuoted(id, texts))
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
