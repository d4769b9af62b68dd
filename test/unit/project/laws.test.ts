/**
 * Checks that docs/laws.md, test/laws.md and the tests agree: every id in a test exists there, the name of some test quotes every
 * law that is not planned, and every file that the pages name exists.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isQuoted, parseLaws, pathsNamed } from '../../support/laws-page.ts'
import { anchorsOf } from '../../support/markdown.ts'

const root = join(import.meta.dirname, '../../..')
const page = `${read('docs/laws.md')}\n${read('test/laws.md')}`
const specParts = ['docs/spec.md', ...readdirSync(join(root, 'docs/spec')).map((name) => `docs/spec/${name}`)]
/** Files whose test names quote laws. */
const tests = new Map(
  ['test', 'src/testing']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && path !== 'test/unit/project/laws.test.ts')
    .map((path) => [path, read(path)]),
)

describe('laws', () => {
  it('are all quoted in the name of a test, except planned ones', () => {
    const { laws, planned } = parseLaws(page)
    expect(laws.length).toBeGreaterThan(40)
    expect(laws.filter((id) => !isQuoted(id, tests.values()))).toEqual([])
    expect(planned.filter((id) => isQuoted(id, tests.values()))).toEqual([])
  })

  it('have each id once, each with a reason and a line under Tests', () => {
    const { laws, planned, withoutReason, files } = parseLaws(page)
    expect(new Set([...laws, ...planned]).size).toBe(laws.length + planned.length)
    expect(withoutReason).toEqual([])
    expect([...files.keys()]).toEqual(laws)
  })

  it('exist for every id that a test quotes', () => {
    expect(unknownIds(page, tests)).toEqual([])
  })

  it('are quoted by every file that their line names', () => {
    expect(filesWithoutQuote(page)).toEqual([])
  })

  it('control: a law without a test, an id without a law and a file without the quote are found', () => {
    const invented = page
      .replace('## Fusion and order', '### Q9 Invented\n\nIt holds.\n\n## Fusion and order')
      .replace('- **W2** `', '- **W2** `test/unit/core/order.test.ts`, `')
    const { laws, withoutReason, files } = parseLaws(invented)
    expect(laws.filter((id) => !isQuoted(id, tests.values()))).toEqual(['Q9'])
    expect(withoutReason).toEqual(['Q9'])
    expect([...files.keys()]).not.toEqual(laws)
    expect(filesWithoutQuote(invented)).toEqual(['W2: test/unit/core/order.test.ts'])
    expect(unknownIds(page, new Map([['a.test.ts', "test('[Z3] holds', () => {})"]]))).toEqual(['Z3 in a.test.ts'])
  })

  it('control: an id in a comment does not count', () => {
    expect(isQuoted('D1', ['/**\n * [D1] A header.\n */\n// [D1]\n'])).toBe(false)
    expect(isQuoted('D1', ["test('[D1] [X1] holds', () => {})"])).toBe(true)
    expect(isQuoted('X1', ["test('[D1] [X1] holds', () => {})"])).toBe(true)
  })
})

describe('pages', () => {
  it.each([
    ['test/laws.md', 50],
    ['docs/laws.md', 1],
    ['docs/spec/text.md', 1],
    ['docs/architecture.md', 80],
  ])('%s names only files and folders that exist', (path, least) => {
    const named = pathsNamed(read(path))
    expect(named.length).toBeGreaterThanOrEqual(least)
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })

  it('docs/architecture.md can be read in an evening: it has at most 12,000 bytes', () => {
    expect(statSync(join(root, 'docs/architecture.md')).size).toBeLessThanOrEqual(12_000)
  })

  it('docs/architecture.md shows each folder of the worker in its diagram', () => {
    const [, diagram = ''] = /```text\n([^]*?)```/.exec(read('docs/architecture.md')) ?? []
    const shown = (text: string) => readdirSync(join(root, 'worker')).filter((name) => !foldersIn(text).has(name))
    const files = /\.|^(?:export-format|salvage)$/
    expect(shown(diagram).filter((name) => !files.test(name))).toEqual([])
    // Control: a diagram without the queue.
    expect(shown(diagram.replaceAll('scheduling', '')).filter((name) => !files.test(name))).toEqual(['scheduling'])
  })

  it('control: a path that does not exist is found', () => {
    expect(pathsNamed('See `src/core/no-such-file.ts`.')).toEqual(['src/core/no-such-file.ts'])
    expect(pathsNamed('See [it](../worker/engine.ts#L3) and [that](laws.md).')).toEqual(['worker/engine.ts'])
    expect(pathsNamed('[it]: ../worker/gone.ts\n')).toEqual(['worker/gone.ts'])
    expect(pathsNamed('`src/{a,b}.ts`, `src/c`')).toEqual(['src/a.ts', 'src/b.ts', 'src/c'])
  })
})

describe('citations', () => {
  const cited = new Map(
    ['src', 'worker', 'demo', 'test', 'docs', '.ci']
      .flatMap((folder) => filesBelow(folder))
      .concat(readdirSync(root).filter((name) => /\.(?:md|txt|ts|json)$/.test(name)))
      .filter(
        (path) =>
          /\.(?:tsx?|mjs|js|css|html|md|txt|sh|run)$|^\.ci\/run$/.test(path) &&
          !path.startsWith('demo/dist/') &&
          !path.startsWith('test/unit/project/laws'),
      )
      .map((path) => [path, read(path)]),
  )

  it('go to laws by id in brackets and to headings of the specification, never to a missing page', () => {
    expect(cited.size).toBeGreaterThan(900)
    expect(wrongCitations(cited)).toEqual([])
  })

  it('of the specification are used, and lead to its headings', () => {
    const used = [...cited.values()].filter((text) => /docs\/spec[\w/]*\.md#/.test(text))
    expect(used.length).toBeGreaterThan(30)
  })

  it.each([
    ['see SPEC §4', 'SPEC §4'],
    ['see SPEC-2 §3', 'SPEC-2 §3'],
    ['measured (EVAL §1)', 'EVAL §1'],
    ['RELIABILITY §1', 'RELIABILITY §1'],
    ['the DESIGN says', 'DESIGN'],
    ['as law S4 asks', 'law S4'],
    ['(laws V1, G3)', 'laws V1'],
    ['exact [Z9]', '[Z9]'],
    ['docs/spec.md#no-such-heading', 'docs/spec.md#no-such-heading'],
    ['docs/spec/text.md#bm25', 'docs/spec/text.md#bm25'],
  ])('control: %s is found', (text, found) => {
    expect(wrongCitations(new Map([['src/a.ts', text]]))).toEqual([`src/a.ts: ${found}`])
  })

  it.each([
    'RFC 9110 §10.2.3',
    "{ type: 'EVAL' }",
    'SCRUBJAY_EVAL_DATA',
    'exact [V1]',
    'docs/spec/ranking.md#bm25',
    '[A-Z][0-9]',
  ])('control: %s is allowed', (text) => {
    expect(wrongCitations(new Map([['src/a.ts', text]]))).toEqual([])
  })
})

/** Ids of the torture suites. */
function suitesOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^\| (T\d+) +\|/gm)].map(([, id = '']) => id)
}

/** Ids that tests quote and that are neither laws nor torture suites. */
function unknownIds(markdown: string, sources: ReadonlyMap<string, string>): readonly string[] {
  const { laws, planned } = parseLaws(markdown)
  const known = new Set([...laws, ...planned, ...suitesOf(markdown)])
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/\[([A-Z]\d{1,2})\]/g)].flatMap(([, id = '']) => (known.has(id) ? [] : [`${id} in ${path}`])),
  )
}

/** Citations that a reader of the repository cannot follow. */
function wrongCitations(sources: ReadonlyMap<string, string>): readonly string[] {
  const { laws, planned } = parseLaws(page)
  const known = new Set([...laws, ...planned, ...suitesOf(page)])
  const headings = new Map(specParts.map((path) => [path, anchorsOf(read(path))]))
  const wrong =
    /(?<![\w'])(?:SPEC|EVAL|RELIABILITY|DESIGN)(?:-2)?(?![\w'])(?:\.md)?(?: §\d[\d.]*)?|\b[Ll]aws? [A-Z]\d+\b/g
  return [...sources].flatMap(([path, text]) => {
    const elsewhere = [...text.matchAll(wrong)].map(([found]) => found)
    const ids = [...text.matchAll(/\[([A-Z]\d{1,2})\]/g)].flatMap(([found, id = '']) => (known.has(id) ? [] : [found]))
    const anchors = [...text.matchAll(/(docs\/spec(?:\/[a-z]+)?\.md)#([\w-]+)/g)].flatMap(
      ([found, part = '', anchor = '']) => (headings.get(part)?.has(anchor) ? [] : [found]),
    )
    return [...elsewhere, ...ids, ...anchors].map((found) => `${path}: ${found}`)
  })
}

/** Files that the line of a law names although they do not quote it. */
function filesWithoutQuote(markdown: string): readonly string[] {
  return [...parseLaws(markdown).files].flatMap(([id, paths]) =>
    paths.filter((path) => !isQuoted(id, [tests.get(path) ?? ''])).map((path) => `${id}: ${path}`),
  )
}

/** Words that may be names of folders. */
function foldersIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[a-z][a-z-]*/g))
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`)
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
