/** Turns a Markdown file into records: one per heading with text. The title of a record is its path of headings. */
import { placeOf, referenceTo } from './files.mjs'

/**
 * @param {import('./files.mjs').SampleFile} file
 * @returns {readonly import('scrubjay').RecordInput[]}
 */
export function documentRecords(file) {
  const { project, tags } = placeOf(file.path)
  return sectionsOf(file.text).map(({ headings, body }) => ({
    id: `${file.path}#${headings.at(-1) ?? 'top'}`,
    kind: 'document',
    bank: 'handbook',
    ...notesOn(headings),
    project,
    topic: file.path,
    title: headings.join(' › ') || file.path,
    body,
    tags: ['docs', ...tags],
    files: [referenceTo(file)],
    source: 'file',
    authority: 'file_source',
    createdAt: file.mtime,
  }))
}

/**
 * Derives reasons and risks from the heading: laws are binding, and how-tos are read often.
 * @param {readonly string[]} headings
 */
function notesOn(headings) {
  const title = headings.at(-1) ?? ''
  if (/^laws?\b/i.test(title))
    return {
      reasons: [{ code: 'governance_constraint' }, { code: 'standard_applies', weight: 0.8 }],
      risks: [{ flag: 'governance_applies' }],
    }
  return /^add an? /i.test(title) ? { reasons: [{ code: 'reusable_context' }] } : {}
}

/**
 * @param {string} text
 * @returns {readonly { headings: readonly string[], body: string }[]}
 */
function sectionsOf(text) {
  /** @type {{ headings: string[], lines: string[] }[]} */
  const sections = [{ headings: [], lines: [] }]
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? null : /^(#{1,6})\s+(.+?)\s*#*$/.exec(line)
    if (heading === null) sections.at(-1)?.lines.push(line)
    else {
      const above = sections.at(-1)?.headings ?? []
      const [, marks = '', title = ''] = heading
      sections.push({ headings: [...above.slice(0, marks.length - 1), title], lines: [] })
    }
  }
  return sections
    .map(({ headings, lines }) => ({ headings, body: lines.join('\n').trim() }))
    .filter(({ body }) => body !== '')
}
