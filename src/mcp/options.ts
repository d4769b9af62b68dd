/** Options of the server, and the methods of a store that it uses. */
import type { Recall } from '../client/api/recall.ts'
import type { ToolOptions } from '../tools/run-tool.ts'

export interface McpOptions extends Pick<ToolOptions, 'offered' | 'scope' | 'record' | 'maxCharacters' | 'timeZone'> {
  /** Name of the server, which clients show. Default `scrubjay`. */
  readonly name?: string | undefined
}

/** The methods of a store that the server uses. */
export type McpStore = Pick<Recall, 'put' | 'recall' | 'about' | 'why' | 'list' | 'forget' | 'assemble'>
