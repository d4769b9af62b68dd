/** Says in words what an import found and what it leaves out. */
import type { ImportReport } from 'scrubjay/import'
import { make } from '../dom.ts'
import { counted } from '../format.ts'
import type { FoundRecords } from './find-records.ts'

/** “Found 312 records in 14 files: ChatGPT, Markdown.” */
export function foundSentence({ count, report: { kinds, files } }: FoundRecords, noun: string, many?: string): string {
  const names = new Set(Object.keys(kinds).map((kind) => nameOfKind.get(kind) ?? kind))
  return `Found ${counted(count, noun, many)} in ${counted(files, 'file')}: ${[...names].join(', ')}.`
}

/** The parts that become no record, with their reasons, folded; nothing without any. */
export function leftOut({ left, listed, warnings }: ImportReport): readonly HTMLElement[] {
  const lines = [...listed, ...warnings].map(
    ({ file, part, message, ...rest }) =>
      `${file}${part === null ? '' : `, ${part}`}: ${isPdf(rest) ? 'is a PDF file, which this app cannot read' : message}`,
  )
  if (lines.length === 0) return []
  const summary = [
    left > 0 ? `${counted(left, 'part')} left out` : '',
    warnings.length > 0 ? counted(warnings.length, 'remark') : '',
  ]
  return [
    make(
      'details',
      { class: 'import-left' },
      make('summary', {}, summary.filter((part) => part !== '').join(', ')),
      make(
        'ul',
        { class: 'notes', 'data-tone': 'warning', tabindex: 0, 'aria-label': 'Left out' },
        ...lines.map((line) => make('li', {}, line)),
      ),
    ),
  ]
}

/** Its message is for programmers. */
const isPdf = (part: { readonly code?: string }) => part.code === 'needs-library'

const nameOfKind: ReadonlyMap<string, string> = new Map([
  ['ai-studio', 'AI Studio'],
  ['bookmarks', 'bookmarks'],
  ['chatgpt', 'ChatGPT'],
  ['claude', 'Claude'],
  ['claude-code', 'Claude Code'],
  ['csv', 'table rows'],
  ['evernote', 'Evernote'],
  ['gemini', 'Gemini'],
  ['history', 'browser history'],
  ['html', 'web pages'],
  ['json', 'JSON'],
  ['json-lines', 'JSON Lines'],
  ['keep', 'Google Keep'],
  ['keep-page', 'Google Keep'],
  ['langgraph', 'LangGraph'],
  ['mail', 'mail'],
  ['markdown', 'Markdown'],
  ['mbox', 'mail'],
  ['mcp-memory', 'MCP memory'],
  ['mem0', 'mem0'],
  ['pdf', 'PDF'],
  ['text', 'plain text'],
])
