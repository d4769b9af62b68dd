/** Splits Markdown at headings. The title of a chunk is its path of headings. Headings without text are left out. */
import { plainHeading } from '../../shared/plain-heading.ts'
import { type Chunk, splitText } from './split-text.ts'

export function splitMarkdown(text: string): readonly Chunk[] {
  const sections = sectionsOf(text.replace(/^---\n[\s\S]*?\n---\n/, ''))
  const filled = sections.filter(({ lines }) => lines.join('').trim() !== '')
  // If no heading has text, the headings are kept.
  const kept = filled.length > 0 ? filled : sections.filter(({ headings }) => headings.length > 0)
  const seen = new Map<string, number>()
  return kept.flatMap(({ headings, lines }) => {
    const title = headings.join(' › ')
    const count = (seen.get(title) ?? 0) + 1
    seen.set(title, count)
    const place = `${title === '' ? 'beginning' : title}${count > 1 ? ` (${count})` : ''}`
    const chunks = splitText(lines.join('\n'))
    if (chunks.length === 0) return [{ title, body: '', place }]
    return chunks.map(({ body }, part) => ({ title, body, place: part === 0 ? place : `${place}, part ${part + 1}` }))
  })
}

interface Section {
  readonly headings: readonly string[]
  readonly lines: string[]
}

function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [{ headings: [], lines: [] }]
  let fence = ''
  for (const line of text.split(/\r?\n/)) {
    const marks = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? ''
    if (fence === '') fence = marks
    else if (marks.startsWith(fence)) fence = ''
    const heading = fence === '' ? /^(#{1,6})\s+(.+?)\s*#*$/.exec(line) : null
    const above = sections.at(-1)
    if (heading === null) above?.lines.push(line)
    else {
      const level = heading[1]?.length ?? 1
      sections.push({
        headings: [...(above?.headings ?? []).slice(0, level - 1), plainHeading(heading[2] ?? '').title],
        lines: [],
      })
    }
  }
  return sections
}
