/**
 * Formats recall blocks, CtxSift's format: one block of labelled lines per hit, for an agent in a terminal.
 * Takes plain values; the policy chooses status, score and field names.
 */
import { escapeLine, escapeText } from './escape.ts'

export interface RecallBlock {
  readonly id: string
  /** Freshness, or another word for the state of the record. */
  readonly status: string
  readonly score: number
  /** ms since the epoch. */
  readonly createdAt: number
  readonly instruction?: string | null | undefined
  readonly command?: string | null | undefined
  readonly exitCode?: number | null | undefined
  readonly files?: readonly string[] | undefined
  /** Names of the matched fields. */
  readonly matched?: readonly string[] | undefined
  readonly text?: string | null | undefined
}

export interface RecallBlocksOptions {
  /** The time of the recall, ms since the epoch. */
  readonly now: number
  /** False: writes every value unescaped, so that it can imitate lines and blocks. Default true. */
  readonly escape?: boolean | undefined
}

/** The blocks in the order of `hits`, with a blank line between two. A line without a value is left out. */
export function formatRecallBlocks(hits: readonly RecallBlock[], { now, escape = true }: RecallBlocksOptions): string {
  if (hits.length === 0) return 'No recall results.'
  return hits.map((hit) => linesOf(hit, now, escape ? escaped : plain).join('\n')).join('\n\n')
}

interface Wording {
  readonly line: (text: string) => string
  /** One of several values on a line. */
  readonly part: (text: string) => string
  readonly lines: (text: string) => string
}

const plain: Wording = { line: (text) => text, part: (text) => text, lines: (text) => text }

const escaped: Wording = {
  line: escapeLine,
  // A comma would split one value in two, a bracket would end an id.
  part: (text) => escapeLine(text).replaceAll(',', '&#x2C;').replaceAll(']', '&#x5D;'),
  lines: (text) =>
    escapeText(text)
      .split('\n')
      // In any case and width.
      .map((line) => (blockLine.test(line.normalize('NFKC')) ? line.replace(/^\s*/, '$&\\') : line))
      .join('\n'),
}

/** Lines that look like a line of the format, a heading, a rule or a code fence. A blank line ends a block. */
const blockLine =
  /^\s*(?:$|[\\#]|\[.*score=|captured |(?:Instruction|Command|Exit\s+code|Files|Matched|Summary)\s*:|No recall results\.|[-_*=]{3}|```|~~~)/i

function linesOf(hit: RecallBlock, now: number, { line, part, lines }: Wording): string[] {
  const block = [`[${part(hit.id)}] ${part(hit.status)} score=${hit.score}`, `captured ${age(now - hit.createdAt)}`]
  const add = (label: string, value: string) => {
    if (value.trim() !== '') block.push(`${label}: ${value}`)
  }
  add('Instruction', line(hit.instruction ?? ''))
  add('Command', line(hit.command ?? ''))
  add('Exit code', String(hit.exitCode ?? ''))
  add('Files', (hit.files ?? []).map(part).join(', '))
  add('Matched', (hit.matched ?? []).map(part).join(', '))
  if ((hit.text ?? '').trim() !== '') block.push('Summary:', lines(hit.text ?? ''))
  return block
}

function age(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000)
  if (!(minutes >= 1)) return 'just now'
  if (minutes < 60) return ago(minutes, 'minute')
  return minutes < 1440 ? ago(Math.floor(minutes / 60), 'hour') : ago(Math.floor(minutes / 1440), 'day')
}

function ago(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
