/** `scrubjay mcp`: serves the store to a client of the Model Context Protocol over stdin and stdout. */
import { recallError } from '../../core/model/errors.ts'
import { serveMcp } from '../../mcp/index.ts'
import { type ToolName, toolNames } from '../../tools/definitions.ts'
import type { Given } from '../common/arguments.ts'
import { type Command, writeLine } from '../common/io.ts'
import { watchFolder } from '../common/watch-folder.ts'
import { lineOf, watchedOf } from './watch.ts'

export const mcp: Command = {
  summary: 'Serves the store to an MCP client over stdin and stdout; creates the store if it does not exist.',
  help: 'Many clients may use one store at once, each with its own process. With --project, clients see only the records of this project, and new records belong to it.',
  positional: '',
  options: ['project', 'tools', 'time-zone', 'watch'],
  store: 'create',
  check(given) {
    toolsOf(given)
    watchedOf(given)
  },
  async run(given, { input, output, errors, signal }, store) {
    const { project, quiet } = given.options
    const offered = toolsOf(given)
    const connection = serveMcp(store, {
      input,
      output,
      ...(offered === undefined ? {} : { offered }),
      ...(project === undefined ? {} : { scope: { project }, record: { project } }),
      onError: ({ message }) => writeLine(errors, `scrubjay: ${message}`),
    })
    if (quiet !== true) {
      const { name, records } = await store.status()
      writeLine(errors, `scrubjay: serving ${name} with ${records} records over stdio`)
    }
    const stopping = new AbortController()
    const stop = () => {
      stopping.abort()
      void connection.close()
    }
    const watched = watchedOf(given)
    // The first reading may take longer than a client waits: it is served meanwhile.
    const watching =
      watched === undefined
        ? undefined
        : watchFolder(store, watched, {
            timeZone: given.options['time-zone'],
            record: project === undefined ? {} : { project },
            signal: stopping.signal,
            onRead: (result) => {
              if (quiet !== true) writeLine(errors, `scrubjay: ${watched}: ${lineOf(result)}`)
            },
            onError: (error) =>
              writeLine(errors, `scrubjay: ${error instanceof Error ? error.message : String(error)}`),
          })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    await connection.closed
    stopping.abort()
    await watching
    return 0
  },
}

function toolsOf({ options: { tools } }: Given): readonly ToolName[] | undefined {
  if (tools === undefined) return undefined
  const names = tools.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(toolNames as readonly string[]).includes(name))
  if (unknown === undefined) return names as ToolName[]
  throw recallError('INVALID_ARGUMENT', 'must name tools', {
    field: '--tools',
    value: unknown,
    hint: `Use one or more of ${toolNames.join(', ')}, separated by commas.`,
  })
}
