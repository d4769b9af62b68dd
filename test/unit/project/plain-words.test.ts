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
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|one\b)[a-z]/i, 'is not a …; errors: must be …'],
  [/\bbeside\b/i, 'next to, with, besides'],
  [/\bstands?\b(?! for\b| in for\b|-)/i, 'is, remains; or say where the thing is'],
  [/\b(?:lest|whence|nought|aught)\b/i, 'a common word'],
  [/\bsealed\b/i, 'has a checksum'],
  [/\blets? go of\b/i, 'releases'],
  [/\bverbs?\b/i, 'method'],
  [/\bwhereabouts\b/i, 'location, position'],
  [/\bwish(?:es|ed)?\b/i, 'request, option'],
  [/\btwins?\b/i, 'duplicate'],
  [/\bheed(?:s|ed)?\b/i, 'accepts, follows'],
  [/\bworn\b/i, 'needs rebuilding'],
  [/\bspelled\b/i, 'canonical, written as'],
  [/\bgiv(?:e|es|en|ing) back\b/i, 'returns, reclaims'],
  [/\bcannot be had\b/i, 'is not available'],
  [/\bby halves\b/i, 'in part'],
  [/(?<!\bword )\bpieces? of (?:a |an |the |one )?(?:text|record|turn|document|query)s?\b/i, 'chunk, segment, part'],
]

/** Data and history: their words are not ours to choose. */
const excluded =
  /^(?:test\/(?:golden|fixtures|hosts|quality\/data)\/|CHANGELOG\.md|LICENSE|NOTICE\.md|package-lock\.json|.*\.(?:bin|wasm|png|svg|json)$)|test\/unit\/(?:project\/)?plain-words\.test\.ts$/

/** Lines that keep a refused word, by a part of their text, and why. */
const exempt: readonly (readonly [string, string])[] = [
  [
    'words that follow each other in the question stand side by side',
    'a reason in answers; captured answers contain it',
  ],
  [
    'nothing was selected, so there is no evidence to judge',
    'a line of explanations; captured explanations contain it',
  ],
  ['nothing nobody nowhere', 'English negations that claims are recognised by'],
  ['none|nobody|nothing', 'English negations that statements are recognised by'],
  ['stand stood', 'irregular forms of English'],
  ['tell told', 'irregular forms of English'],
  ['wear wore worn', 'irregular forms of English'],
  ['tell|told|say', 'English words that questions about earlier messages are recognised by'],
  ['likes stand love', 'English words that likings are recognised by'],
  ['want|stand|tolerate', 'English words that preferences are recognised by'],
  ['RecordPosition as Whereabouts', 'the deprecated name of a public type'],
]

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs|js|md|html|css|yml|txt)$/.test(path) && !excluded.test(path))

test('no page, comment, error, interface text or test name uses a refused word', () => {
  const found = files.flatMap((path) => faultsOf(path, readFileSync(join(root, path), 'utf8')))
  expect(found).toEqual([])
})

test('every exemption is still needed', () => {
  const lines = files.flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n'))
  expect(exempt.filter(([part]) => !lines.some((line) => line.includes(part)))).toEqual([])
})

test('control: each refused word is found, in each kind of file', () => {
  const sentences = [
    'It is made anew.',
    'Whoever asks waits.',
    'It stands there.',
    'the name is no name',
    'It is a verb.',
    'It embeds pieces of a text.',
  ]
  for (const sentence of sentences) {
    expect(faultsOf('src/a.ts', `/** ${sentence} */`)).toHaveLength(1)
    expect(faultsOf('src/a.ts', `throw invalid('${sentence}')`)).toHaveLength(1)
    expect(faultsOf('docs/a.md', sentence)).toHaveLength(1)
    expect(faultsOf('test/a.test.ts', `test('${sentence}', () => {`)).toHaveLength(1)
    expect(faultsOf('test/torture/a.ts', `print(\`run ${'$'}{i}: ${sentence}\`)`)).toHaveLength(1)
    // Sample texts in tests are data.
    expect(faultsOf('test/a.test.ts', `const body = '${sentence}'`)).toEqual([])
  }
  expect(faultsOf('src/a.ts', '// 2 stands for two, a long-standing rule that is no longer new.')).toEqual([])
})

/** In tests, code and sample texts are data: only comments, names and messages of the harness count. */
function faultsOf(path: string, text: string): readonly string[] {
  const isCode = path.startsWith('test/') && !path.endsWith('.md')
  const hasMessages = /^test\/(?:bench|quality|support|torture)\//.test(path)
  return text.split('\n').flatMap((line, i) => {
    if (exempt.some(([part]) => line.includes(part))) return []
    const read = !isCode || isComment(line) || isName(line) ? line : hasMessages ? messagesOf(line) : ''
    const fault = words.find(([word]) => word.test(read))
    return fault === undefined ? [] : [`${path}:${i + 1}: ${fault[0].exec(read)?.[0]} → ${fault[1]}`]
  })
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\*\*|\*|\/\/|#|<!--)/.test(line) || /\s\/\/ /.test(line)
}

function isName(line: string): boolean {
  return /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*['"`]/.test(line)
}

/** String literals of at least three words, without the code that they embed. */
function messagesOf(line: string): string {
  return [...line.replaceAll(/\$\{[^{}]*\}/g, '0').matchAll(/(['"`])((?:(?!\1).)*)\1/g)]
    .flatMap(([, , literal = '']) => (literal.trim().split(' ').length < 3 || /[=;]/.test(literal) ? [] : [literal]))
    .join(' ')
}
