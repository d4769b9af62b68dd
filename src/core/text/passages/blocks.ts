/** Reads the blocks of a text, by lines: headings, list items, tables, code between fences, and paragraphs. Plain text has paragraphs alone. */

export interface Block {
  readonly kind: 'heading' | 'item' | 'table' | 'code' | 'text'
  /** UTF-16 offsets [from, to), with the blank lines after it. */
  readonly from: number
  readonly to: number
}

/** In order; together they are the whole text. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: { kind: Block['kind']; from: number; to: number }[] = []
  let fence: string | null = null
  let isBlankBefore = true
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end + 1
    const line = text.slice(from, Math.min(to, from + longestMark)).trim()
    const last = blocks.at(-1)
    const mark = fenceOf(line)
    if (fence !== null) {
      last!.to = to
      if (mark !== null && mark.startsWith(fence) && line === mark) fence = null
      isBlankBefore = fence === null
    } else if (line === '') {
      if (last !== undefined) last.to = to
      else blocks.push({ kind: 'text', from, to })
      isBlankBefore = true
    } else {
      const kind = mark === null ? kindOf(line, text, from) : 'code'
      const isUnderline: boolean =
        !isBlankBefore && last?.kind === 'text' && underline.test(line) && isLine(text, last.from, from)
      if (last !== undefined && isUnderline) {
        last.kind = 'heading'
        last.to = to
      } else if (last !== undefined && !isBlankBefore && continues(last.kind, kind)) last.to = to
      else blocks.push({ kind, from, to })
      fence = mark
      isBlankBefore = isUnderline || kind === 'heading'
    }
    from = to
  }
  return blocks
}

/** Letters of a line that decide what it is. */
const longestMark = 200

/** Whether a line goes on with the block before it: indented lines and text with a paragraph or an item, rows with their table. */
function continues(before: Block['kind'], kind: Block['kind']): boolean {
  if (kind === 'table') return before === 'table'
  return kind === 'text' && (before === 'text' || before === 'item')
}

function kindOf(line: string, text: string, from: number): Exclude<Block['kind'], 'code'> {
  if (heading.test(line)) return 'heading'
  if (
    line.startsWith('|') ||
    text
      .slice(from, from + longestMark)
      .split('\n', 1)[0]!
      .includes('\t')
  )
    return 'table'
  return item.test(line) ? 'item' : 'text'
}

const heading = /^(?:#{1,6}\s+\S|={2,6} .* ={2,6}$)/
const underline = /^(?:={3,}|-{3,})$/
const item = /^(?:[-*+•–]\s+\S|\(?\d{1,4}[.)]\s+\S|\(?[a-z][.)]\s+\S)/

function fenceOf(line: string): string | null {
  return /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? null
}

/** Whether the block so far is one short line. */
function isLine(text: string, from: number, to: number): boolean {
  return to - from <= longestMark && text.indexOf('\n', from) === to - 1
}
