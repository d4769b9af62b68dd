/**
 * Reads the data files of docs/data: tables whose cells have tabs between them, each above the line that names its command and commit.
 * On the site, a paragraph that names such a file is followed by its tables.
 */
import { readFileSync } from 'node:fs'
import { root } from './sources.ts'

export function withDataTables(markdown: string): string {
  const read = (file: string) => markdownOfData(readFileSync(`${root}${file}`, 'utf8'))
  return markdown
    .split(/\n{2,}/)
    .flatMap((block) => [block, ...[...block.matchAll(/`(docs\/data\/[\w-]+\.tsv)`/g)].map(([, file]) => read(file!))])
    .join('\n\n')
}

export function markdownOfData(text: string): string {
  return blocksOf(text).map(toTable).join('\n\n')
}

/** The inverse of `markdownOfData`. */
export function dataOfMarkdown(text: string): string {
  const blocks = blocksOf(text).map((block) => (block.startsWith('|') ? toData(block) : block))
  return `${blocks.join('\n\n')}\n`
}

function blocksOf(text: string): readonly string[] {
  return text.trimEnd().split(/\n{2,}/)
}

function toTable(block: string): string {
  if (!block.includes('\t')) return block
  const [head = [], ...rows] = block.split('\n').map((row) => row.split('\t'))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function toData(table: string): string {
  const [head, , ...rows] = table.split('\n').map((row) => row.split('|').slice(1, -1))
  return [head!, ...rows].map((cells) => cells.map((cell) => cell.trim()).join('\t')).join('\n')
}
