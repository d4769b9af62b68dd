/**
 * The words of the project are plain (CONTRIBUTING.md, "Style"): comments, errors, interface texts, pages and test names
 * use none of the words below, because readers stumbled over them. Each has a standard word in its place.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** A word that is refused, and what to write. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'the caller, a reader, anyone who'],
  [/\bnobody\b/i, 'no one, or name who'],
  [/\btold\b/i, 'said, reported, given; or name the value'],
  [/\bfor want of\b/i, 'without'],
  [/\bin vain\b/i, 'without success'],
  [/\bgoes? by\b/i, 'uses, follows, is decided by'],
  [/\b(?:is|are) no [a-z]/i, 'is not a …; errors: must be …'],
  [/\bbeside\b/i, 'next to, with, besides'],
  [/\bstands?\b(?! for\b| in for\b|-)/i, 'is, remains; or say where the thing is'],
  [/\b(?:lest|whence|nought|aught)\b/i, 'a common word'],
  [/\bsealed\b/i, 'has a checksum'],
  [/\blets? go of\b/i, 'releases'],
  [/\bverbs?\b/i, 'method'],
  [/\bwhereabouts\b/i, 'location, position'],
  [/\bwish(?:es|ed)?\b/i, 'request, option'],
]

/** Data and history: their words are not ours to choose. */
const excluded =
  /^(?:test\/(?:golden|fixtures|hosts|quality\/data)\/|CHANGELOG\.md|LICENSE|NOTICE\.md|package-lock\.json|.*\.(?:bin|wasm|png|svg|json)$)|test\/unit\/(?:project\/)?plain-words\.test\.ts$/

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs|js|md|html|css|yml|txt)$/.test(path) && !excluded.test(path))

test('no page, comment, error, interface text or test name uses a refused word', () => {
  const found = files.flatMap((path) => faultsOf(path, readFileSync(join(root, path), 'utf8')))
  expect(found).toEqual([])
})

test('control: each refused word is found, in each kind of file', () => {
  const sentences = ['It is made anew.', 'Whoever asks.', 'It stands there.', 'name: is no name', 'A verb.']
  for (const sentence of sentences) {
    expect(faultsOf('src/a.ts', `/** ${sentence} */`)).toHaveLength(1)
    expect(faultsOf('src/a.ts', `throw invalid('${sentence}')`)).toHaveLength(1)
    expect(faultsOf('docs/a.md', sentence)).toHaveLength(1)
    expect(faultsOf('test/a.test.ts', `test('${sentence}', () => {`)).toHaveLength(1)
    // Sample texts in tests are data.
    expect(faultsOf('test/a.test.ts', `const body = '${sentence}'`)).toEqual([])
  }
  expect(faultsOf('src/a.ts', '// 2 stands for two, a long-standing rule.')).toEqual([])
})

/** In tests only comments and names count; elsewhere every line. */
function faultsOf(path: string, text: string): readonly string[] {
  const isTest = path.startsWith('test/') && !path.endsWith('.md')
  return text.split('\n').flatMap((line, i) => {
    if (isTest && !isComment(line) && !isName(line)) return []
    const fault = words.find(([word]) => word.test(line))
    return fault === undefined ? [] : [`${path}:${i + 1}: ${fault[0].exec(line)?.[0]} → ${fault[1]}`]
  })
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\*\*|\*|\/\/|#|<!--)/.test(line) || /\s\/\/ /.test(line)
}

function isName(line: string): boolean {
  return /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*['"`]/.test(line)
}
