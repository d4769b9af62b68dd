/** The entry `scrubjay/ai-sdk`: the tools of `scrubjay/tools` and a memory for the Vercel AI SDK. The app installs `ai` 5, 6 or 7. */
import { type JSONSchema7, jsonSchema, type Tool, tool } from 'ai'
import { type CheckedArguments, checkArguments } from '../tools/check-arguments.ts'
import { type ToolName, toolDefinitions, toolNames } from '../tools/definitions.ts'
import type { JsonObject } from '../tools/describe-records.ts'
import { runTool, type ToolOptions, type ToolStore } from '../tools/run-tool.ts'

export { type MemoryOptions, type MemoryStore, memoryMiddleware, type RecalledMemories } from './memory-middleware.ts'

export type RecallTools = Readonly<Record<ToolName, Tool<CheckedArguments, JsonObject>>>

/** Returns the value of `tools` for `generateText` and `streamText`. `offered`: names of the tools, default all. Calls abort with the SDK's call. */
export function recallTools<Name extends ToolName = ToolName>(
  recall: ToolStore,
  options: ToolOptions & { readonly offered?: readonly Name[] | undefined } = {},
): Pick<RecallTools, Name> {
  const { offered = toolNames } = options
  return Object.fromEntries(
    offered.map((name) => {
      const { description, parameters } = toolDefinitions[name]
      const inputSchema = jsonSchema<CheckedArguments>(parameters as JSONSchema7, {
        validate(value) {
          try {
            return { success: true, value: checkArguments(parameters, value) }
          } catch (error) {
            return { success: false, error: error as Error }
          }
        },
      })
      const execute = (args: CheckedArguments, { abortSignal }: { readonly abortSignal?: AbortSignal | undefined }) =>
        runTool(recall, name, args, { ...options, signal: abortSignal ?? options.signal })
      return [name, tool({ description, inputSchema, execute })]
    }),
  ) as unknown as RecallTools
}
