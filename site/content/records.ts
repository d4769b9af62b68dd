/**
 * Makes the records of the site's search: one for each heading of each page, with the text below it. Long sections are cut into
 * parts, because a hit should lead to the sentence that answers.
 */
import type { RecordInput } from 'scrubjay'
import { headingsOf, parseMarkdown, plainText, type Tokens } from './markdown.ts'
import { readSource, type Source } from './sources.ts'

/** Characters of a part; a longer section is cut at the next paragraph, list item or row. */
const partLength = 1500

/** A time that never changes, so that equal pages give equal bytes. */
const fixedTime = Date.UTC(2026, 0, 1)

export function recordsOf(source: Source, text: string = readSource(source)): readonly RecordInput[] {
  const tokens = parseMarkdown(text)
  const headings = headingsOf(tokens)
  const records: RecordInput[] = []
  let place = -1
  let trail: readonly string[] = []
  let lines: string[] = []
  const flush = () => {
    if (place < 0) return
    const { text: title, anchor, level } = headings[place]!
    const parts = partsOf(lines)
    parts.forEach((body, i) =>
      records.push({
        id: `${source.path}${level === 1 ? '' : `#${anchor}`}${i === 0 ? '' : `~${i}`}`,
        source: source.path,
        title: level === 1 ? source.name : title,
        summary: [source.name, ...trail.slice(1, -1)].join(' › '),
        body,
        kind: kindOf(source),
        createdAt: fixedTime,
        updatedAt: fixedTime,
      }),
    )
    lines = []
  }
  tokens.forEach((token, i) => {
    if (token.type === 'heading_open') {
      flush()
      place++
      const { level, text } = headings[place]!
      trail = [...trail.slice(0, level - 1), text]
    } else if (tokens[i - 1]?.type !== 'heading_open') lines.push(...linesOf(token, tokens, i))
  })
  flush()
  return records
}

/** The search prefers guides to packages and reference, and to pages for contributors. */
function kindOf({ file, group }: Source): string {
  return file === 'SECURITY.md' || group === 'Start' || group === 'Tutorials' || group === 'How-to'
    ? 'guide'
    : 'reference'
}

function linesOf(token: Tokens[number], tokens: Tokens, i: number): readonly string[] {
  if (token.type === 'fence') return [token.content.trim()]
  if (token.type !== 'inline') return []
  // The cells of a row belong to one line.
  if (tokens[i - 1]?.type === 'td_open' || tokens[i - 1]?.type === 'th_open')
    return tokens[i + 2]?.type === 'tr_close' ? [rowOf(tokens, i)] : []
  return [plainText(token)]
}

function rowOf(tokens: Tokens, end: number): string {
  const start = tokens.slice(0, end).findLastIndex(({ type }) => type === 'tr_open')
  return tokens
    .slice(start, end + 1)
    .filter(({ type }) => type === 'inline')
    .map(plainText)
    .join(' · ')
}

function partsOf(lines: readonly string[]): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const line of lines) {
    part += `${part === '' ? '' : '\n'}${line}`
    if (part.length < partLength) continue
    parts.push(part)
    part = ''
  }
  if (part !== '' || parts.length === 0) parts.push(part)
  return parts
}
