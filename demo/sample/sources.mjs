/**
 * Turns a source file into records: its header, and each exported declaration with its docstring. For a test file: its header
 * with the names of its tests. Reads lines without parsing, so it relies on the formatter.
 */
import { placeOf, referenceTo } from './files.mjs'

const maxBodyLines = 80

/**
 * @param {import('./files.mjs').SampleFile} file
 * @returns {readonly import('scrubjay').RecordInput[]}
 */
export function sourceRecords(file) {
  const { project, tags } = placeOf(file.path)
  const shared = {
    bank: 'tree',
    project,
    files: [referenceTo(file)],
    source: 'code',
    authority: 'file_source',
    createdAt: file.mtime,
  }
  const header = headerOf(file.text)
  const isTest = file.path.endsWith('.test.ts')
  const about = {
    ...shared,
    id: file.path,
    kind: isTest ? 'test' : 'source',
    title: file.path,
    summary: header,
    body: isTest ? testNames(file.text).join('\n') || null : null,
    tags: [isTest ? 'test' : 'module', ...tags],
  }
  const declarations = isTest ? [] : declarationsOf(file.text)
  return [
    ...(header === '' ? [] : [about]),
    ...declarations.map(({ name, form, summary, code, isCut }) => ({
      ...shared,
      id: `${file.path}#${name}`,
      kind: 'source',
      topic: file.path,
      title: form === 'function' ? `${name}()` : name,
      summary: summary === '' ? null : summary,
      body: code,
      risks: isCut ? [{ flag: 'full_file_deferred' }] : [],
      terms: [{ term: name, kind: 'symbol' }],
      tags: [form, ...tags],
    })),
  ]
}

/**
 * @param {string} text
 * @returns {string} the opening comment as prose
 */
function headerOf(text) {
  const block = /^(?:#![^\n]*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)
  return block === null ? '' : proseOf(block[1] ?? '')
}

/**
 * @param {string} text
 * @returns {readonly string[]}
 */
function testNames(text) {
  return [...text.matchAll(/\btest(?:\.\w+\([^)]*\))?\(\s*(['"`])((?:(?!\1).)+)\1/g)].map(([, , name = '']) => name)
}

/**
 * @param {string} text
 * @returns {readonly { name: string, form: string, summary: string, code: string, isCut: boolean }[]}
 */
function declarationsOf(text) {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const found = /^export (?:async )?(function\*?|const|interface|type|class) (\w+)/.exec(line)
    if (found === null) return []
    const [, form = '', name = ''] = found
    const summary = proseOf(docstringAbove(lines, at))
    // A type or value without a docstring has too few words to be found.
    if (!form.startsWith('function') && summary === '') return []
    const length = lengthFrom(lines, at)
    const code = lines.slice(at, at + Math.min(length, maxBodyLines)).join('\n')
    return [{ name, form: form.replace('*', ''), summary, code, isCut: length > maxBodyLines }]
  })
}

/**
 * @param {readonly string[]} lines
 * @param {number} at
 */
function docstringAbove(lines, at) {
  if (lines[at - 1]?.trimEnd().endsWith('*/') !== true) return ''
  let from = at - 1
  while (from > 0 && !lines[from]?.startsWith('/**')) from--
  return lines.slice(from, at).join('\n')
}

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @returns {number} lines of the declaration: up to the next one that is neither indented nor a closing bracket
 */
function lengthFrom(lines, at) {
  let to = at + 1
  while (to < lines.length && /^(\s|[)}\]]|$)/.test(lines[to] ?? '')) to++
  while (to > at + 1 && (lines[to - 1] ?? '').trim() === '') to--
  return to - at
}

/** @param {string} comment */
function proseOf(comment) {
  return comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .replace(/([^\n])\n(?=[^\n@-])/g, '$1 ')
    .trim()
}
