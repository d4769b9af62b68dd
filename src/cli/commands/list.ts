/** `scrubjay list`: records, the last changed first. */
import { integerOf, scopeOf, scopeOptions } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const list: Command = {
  summary: 'Lists records, newest change first.',
  help: '',
  positional: '',
  options: [...scopeOptions, 'limit', 'cursor'],
  store: 'existing',
  check(given) {
    integerOf(given, 'limit', 1000)
    scopeOf(given)
  },
  async run(given, { output, signal }, store) {
    const { cursor, json } = given.options
    const limit = integerOf(given, 'limit', 1000) ?? 20
    const page = await store.list({ ...scopeOf(given), limit, ...(cursor === undefined ? {} : { cursor }) }, { signal })
    if (json === true) {
      writeJson(output, page)
      return 0
    }
    for (const { id, title, summary, body, instruction, command, kind, tags, updatedAt } of page.items) {
      const text = (title ?? summary ?? body ?? instruction ?? command ?? '').replace(/\s+/g, ' ').trim()
      const day = new Date(updatedAt).toISOString().slice(0, 10)
      const marks = [kind, ...tags.map((tag) => `#${tag}`)].join(' ')
      writeLine(output, `${day}  ${id}  ${text.slice(0, 80)}  ${marks}`)
    }
    if (page.nextCursor !== null) writeLine(output, `More: --cursor ${page.nextCursor}`)
    return 0
  },
}
