/** Registers the tools with a page's model context (WebMCP), where a browser's agent finds them. */
import { type ToolName, toolDefinitions, toolNames } from './definitions.ts'
import { answerTool, type ToolOptions, type ToolStore } from './run-tool.ts'

/** `document.modelContext` of a browser with WebMCP, or a polyfill of the same shape. */
export interface ModelContext {
  registerTool(tool: never, options?: { readonly signal?: AbortSignal | undefined }): unknown
}

/**
 * Registers the offered tools (default: all). Their answers are JSON objects; a wrong call answers `{ error }` with its hint. Resolves when
 * the browser has taken all tools; rejects with its error, and then none is registered. The returned function takes them back, as does
 * `options.signal`.
 */
export async function exposeTools(
  recall: ToolStore,
  modelContext: ModelContext,
  options: ToolOptions = {},
): Promise<() => void> {
  const { offered = toolNames, signal: given } = options
  const ending = new AbortController()
  const end = () => ending.abort()
  given?.addEventListener('abort', end, { once: true })
  if (given?.aborted === true) end()
  try {
    for (const name of offered)
      await modelContext.registerTool(describe(recall, name, options) as never, { signal: ending.signal })
  } catch (error) {
    end()
    throw error
  }
  return end
}

function describe(recall: ToolStore, name: ToolName, options: ToolOptions) {
  const { description, parameters } = toolDefinitions[name]
  return {
    name,
    description,
    inputSchema: parameters,
    annotations: {
      readOnlyHint: name !== 'remember' && name !== 'forget',
      // Stored texts may come from anywhere.
      untrustedContentHint: true,
      consequentialHint: name === 'forget',
    },
    execute: (args: unknown, call?: { readonly signal?: AbortSignal | undefined }) =>
      answerTool(recall, name, args, { ...options, signal: call?.signal ?? options.signal }),
  }
}
