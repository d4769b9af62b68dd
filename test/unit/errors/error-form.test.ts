/** [E1] Checks the form of every error about a field in the sources: "`field` must be …, got …. Hint: …" (CONTRIBUTING.md, "Style"). */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** Files whose errors reach no caller of the package. */
const internal = ['worker/sqlite/fts5/postings.ts', 'worker/vector/check-encoded.ts', 'worker/vector/exact/exact.ts']

const sources = execFileSync('git', ['ls-files', 'src', 'worker'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && !internal.includes(path))

test('[E1] the problem of a field begins with what it must be, and a hint says the way out', () => {
  const found = sources.flatMap((path) => faultsOf(path, readFileSync(join(root, path), 'utf8')))
  expect(found).toEqual([])
})

test('[E1] control: an error without a hint, and one that says what is wrong instead of what must be, are found', () => {
  const good = "recallError('INVALID_ARGUMENT', 'must be (at least) 1', { field: 'limit', value, hint: 'Give 1.' })"
  expect(faultsOf('a.ts', good)).toEqual([])
  expect(faultsOf('a.ts', good.replace(", hint: 'Give 1.'", ''))).toEqual(['a.ts:1: no hint'])
  expect(faultsOf('a.ts', good.replace('must be (at least) 1', 'is too low'))).toEqual(['a.ts:1: is too low'])
  expect(faultsOf('a.ts', "recallError('CLOSED', 'The store is closed')")).toEqual([])
})

function faultsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(/\brecallError\(/g)].flatMap(({ index }) => {
    const call = callAt(text, index)
    if (!/\bfield\b/.test(call)) return []
    const at = `${path}:${text.slice(0, index).split('\n').length}`
    const problem = /^recallError\(\s*[^'"`]*(?:'[A-Z_]+')?\s*,\s*(['`])([\s\S]*?)\1/.exec(call)?.[2]
    // `of … failed`: the name of an embedder or record follows the field. `failed`: a step of the named part.
    const isRight = problem === undefined || /^(?:must |is required|of \$\{|failed)/.test(problem)
    return [...(isRight ? [] : [`${at}: ${problem}`]), ...(/\bhint\b/.test(call) ? [] : [`${at}: no hint`])]
  })
}

/** The text of the call that begins at a place, up to its closing parenthesis; parentheses in literals count in pairs. */
function callAt(text: string, from: number): string {
  let depth = 0
  for (let at = text.indexOf('(', from); at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(from, at + 1)
  }
  return text.slice(from)
}
