/** `scrubjay about <subject>`: what the store knows of a subject, the statements that hold now first. */
import type { About, Statement } from '../../core/model/result.ts'
import { integerOf, scopeOf, scopeOptions, wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const about: Command = {
  summary: 'Tells what is known of a subject: what holds now, then what held earlier.',
  help: 'The subject is a name, words or a question; "me" is the person who asks.',
  positional: '<subject> ',
  options: [...scopeOptions, 'limit'],
  store: 'existing',
  check(given) {
    if (given.positional.join(' ').trim() === '') throw wrongUse('A subject must be given', 'scrubjay about --help')
    integerOf(given, 'limit', 500)
    scopeOf(given)
  },
  async run(given, { output, signal }, store) {
    const limit = integerOf(given, 'limit', 500)
    const known = await store.about(given.positional.join(' ').trim(), { scope: scopeOf(given), limit, signal })
    if (given.options.json === true) writeJson(output, known)
    else for (const line of linesOf(known)) writeLine(output, line)
    return 0
  },
}

function linesOf({ current, earlier, upcoming, truncated }: About): readonly string[] {
  const part = (name: string, statements: readonly Statement[]) =>
    statements.length === 0 ? [] : [`${name}:`, ...statements.flatMap(statementLines)]
  if (current.length + earlier.length + upcoming.length === 0) return ['Nothing is stored about it.']
  return [
    ...part('now', current),
    ...part('later', upcoming),
    ...part('earlier', earlier),
    ...(truncated ? ['There is more: give --limit, at most 500.'] : []),
  ]
}

function statementLines({ id, record, at, reasons }: Statement): readonly string[] {
  const { title, summary, body, instruction, command } = record
  const text = (body ?? summary ?? instruction ?? command ?? title ?? '').replace(/\s+/g, ' ').trim()
  const day = new Date(at).toISOString().slice(0, 10)
  return [`  ${day}  ${text.slice(0, 120)}  ${id}`, ...reasons.map((reason) => `              ${reason}`)]
}
