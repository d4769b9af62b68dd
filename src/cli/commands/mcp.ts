/** `scrubjay mcp`: serves the store to a client of the Model Context Protocol over stdin and stdout. */
import { recallError } from '../../core/model/errors.ts'
import { serveMcp } from '../../mcp/serve-stdio.ts'
import { type ToolName, toolNames } from '../../tools/definitions.ts'
import type { Given } from '../common/arguments.ts'
import { type Command, writeLine } from '../common/io.ts'

export const mcp: Command = {
  summary: 'Serves the store to an MCP client over stdin and stdout; creates the store if it does not exist.',
  help: 'Many clients may use one store at once, each with its own process. With --project, clients see only the records of this project, and new records belong to it.',
  positional: '',
  options: ['project', 'tools', 'time-zone'],
  store: 'create',
  check: (given) => void toolsOf(given),
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
    const stop = () => void connection.close()
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    await connection.closed
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
