/** `scrubjay ask <question>`: the answer for a reader at a terminal: passages with their words marked, evidence, dates and reasons. */

import type { Hit, RecallResult } from '../../core/model/result.ts'
import { showLine } from '../../core/present/escape.ts'
import { integerOf, scopeOf, scopeOptions, wrongUse } from '../common/arguments.ts'
import { type Command, type Io, writeJson } from '../common/io.ts'

export const ask: Command = {
  summary: 'Answers a question for a reader: passages with their words marked, evidence, dates and reasons.',
  help: 'Exit code 1 if nothing that is stored answers. Colours only on a terminal, and not with the variable NO_COLOR. Programs read `recall --json`, which gives the same answer.',
  positional: '<question> ',
  options: [...scopeOptions, 'limit', 'time-zone'],
  store: 'existing',
  check(given) {
    if (given.positional.join(' ').trim() === '') throw wrongUse('A question must be given', 'scrubjay ask --help')
    integerOf(given, 'limit', 1000)
    scopeOf(given)
  },
  async run(given, io, store) {
    const text = given.positional.join(' ').trim()
    const limit = integerOf(given, 'limit', 1000) ?? 5
    const answer = await store.recall({ text, scope: scopeOf(given), limit }, { signal: io.signal })
    if (given.options.json === true) writeJson(io.output, answer)
    else io.output.write(`${linesOf(answer, styleOf(io), given.options['time-zone']).join('\n')}\n`)
    return answer.hits.length === 0 || answer.evidence.strength === 'none' ? 1 : 0
  },
}

interface Style {
  strong(text: string): string
  faint(text: string): string
  mark(text: string): string
}

/** Escape sequences are written around texts whose own are made visible [X2]. Without colours, marked words stay plain. */
function styleOf({ output, environment }: Io): Style {
  const isTerminal = (output as { readonly isTTY?: boolean }).isTTY === true && environment['NO_COLOR'] === undefined
  const wrap = (on: number, off: number) => (text: string) =>
    isTerminal ? `\u001B[${on}m${showLine(text)}\u001B[${off}m` : showLine(text)
  return { strong: wrap(1, 22), faint: wrap(2, 22), mark: wrap(33, 39) }
}

function linesOf(
  { hits, evidence, plan }: RecallResult,
  style: Style,
  timeZone: string | undefined,
): readonly string[] {
  const verdict = { strong: 'Found', weak: 'Perhaps', none: 'Nothing stored answers this' }[evidence.strength]
  const read = plan.read.map(({ kind, text }) => `${kind} “${text}”`)
  const head = [
    `${verdict}.`,
    `Evidence ${evidence.strength}, probability ${evidence.probability.toFixed(2)}.`,
    ...(read.length === 0 ? [] : [`Read: ${read.join(', ')}.`]),
  ]
  return [
    style.strong(head[0]!) + style.faint(` ${head.slice(1).join(' ')}`),
    ...hits.flatMap((hit, i) => ['', ...hitLines(hit, i, style, timeZone)]),
  ]
}

function hitLines(
  { id, record, snippet, reasons, freshness }: Hit,
  i: number,
  style: Style,
  timeZone: string | undefined,
) {
  const title = record.title ?? record.summary ?? id
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(
    record.occurredAt ?? record.createdAt,
  )
  const isStale = freshness === 'stale_changed' || freshness === 'stale_deleted'
  const facts = [day, record.source ?? id, ...record.tags.slice(0, 5).map((tag) => `#${tag}`)]
  const lines = [`${i + 1}. ${style.strong(title)}`, `   ${style.faint(facts.join('  '))}`]
  if (snippet.text.trim() !== '') lines.push(`   ${marked(snippet, style)}`)
  if (reasons[0] !== undefined) lines.push(`   ${style.faint(`why: ${reasons.slice(0, 3).join('; ')}`)}`)
  if (isStale)
    lines.push(
      `   ${style.faint(`its file is ${freshness === 'stale_deleted' ? 'gone' : 'changed'} since it was stored`)}`,
    )
  return lines
}

function marked({ text, marks }: Hit['snippet'], style: Style): string {
  const parts: string[] = []
  let at = 0
  const plain = (from: number, to: number) => showLine(text.slice(from, to).replaceAll(/\s+/g, ' '))
  for (const [from, to] of marks) {
    parts.push(plain(at, from), style.mark(text.slice(from, to).replaceAll(/\s+/g, ' ')))
    at = to
  }
  return [...parts, plain(at, text.length)].join('').trim()
}
