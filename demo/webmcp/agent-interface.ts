/** The interface between pages and the agent of the browser (WebMCP), or a stand-in of the same shape where the browser has none. */
import type { ArgumentsSchema, JsonObject, ModelContext, ToolName } from 'scrubjay/tools'

export interface ToolCall {
  readonly name: string
  readonly args: unknown
  readonly isByHand: boolean
  readonly answer: JsonObject
  readonly ms: number
}

/** A tool as the browser lists it. */
export interface ListedTool {
  readonly name: ToolName
  readonly description: string
  readonly inputSchema: ArgumentsSchema
}

interface Tool extends ListedTool {
  execute(args: unknown, call?: object): Promise<JsonObject>
}

interface RegisterOptions {
  readonly signal?: AbortSignal | undefined
}

interface Context {
  registerTool(tool: Tool, options?: RegisterOptions): unknown
  getTools(): Promise<readonly ListedTool[]>
  executeTool(tool: ListedTool, args: object): Promise<unknown>
}

export interface AgentInterface {
  readonly isOfBrowser: boolean
  /** For `exposeTools`. Each call of a tool that is registered here is reported, of the user and of agents. */
  readonly modelContext: ModelContext
  /** The tools that an agent finds now. */
  tools(): Promise<readonly ListedTool[]>
  /** Calls a tool as an agent does. */
  call(tool: ListedTool, args: object): Promise<void>
}

/** A browser that cannot list and execute tools for the page counts as one without WebMCP. */
export function openAgentInterface(report: (call: ToolCall) => void): AgentInterface {
  const found = (document as { readonly modelContext?: Partial<Context> }).modelContext
  const ofBrowser = found?.getTools && found.executeTool ? (found as Context) : null
  const context = ofBrowser ?? standIn()
  /** The names of tools that this page is calling. */
  const byHand: string[] = []

  const registerTool = (tool: Tool, options?: RegisterOptions) => {
    const execute = async (args: unknown, call?: object) => {
      const place = byHand.indexOf(tool.name)
      if (place >= 0) byHand.splice(place, 1)
      const startMs = performance.now()
      const answer = await tool.execute(args, call)
      report({ name: tool.name, args, isByHand: place >= 0, answer, ms: performance.now() - startMs })
      return answer
    }
    return context.registerTool({ ...tool, execute }, options)
  }

  return {
    isOfBrowser: ofBrowser !== null,
    modelContext: { registerTool },
    tools: () => context.getTools(),
    async call(tool, args) {
      byHand.push(tool.name)
      try {
        await context.executeTool(tool, args)
      } catch (error) {
        const place = byHand.indexOf(tool.name)
        if (place >= 0) byHand.splice(place, 1)
        throw error
      }
    },
  }
}

function standIn(): Context {
  const tools = new Map<string, Tool>()
  return {
    registerTool(tool, options) {
      tools.set(tool.name, tool)
      options?.signal?.addEventListener('abort', () => tools.delete(tool.name))
    },
    getTools: async () => [...tools.values()],
    executeTool: async ({ name }, args) => tools.get(name)?.execute(args),
  }
}
