/** The entry `scrubjay/tools`: tools that give a language model a memory. */

export { type CheckedArguments, checkArguments } from './check-arguments.ts'
export {
  type ArgumentSchema,
  type ArgumentsSchema,
  anthropicTools,
  openaiTools,
  type ToolDefinition,
  type ToolName,
  toolDefinitions,
  toolNames,
} from './definitions.ts'
export type { Json, JsonObject } from './describe-records.ts'
export { exposeTools, type ModelContext } from './expose-tools.ts'
export { answerTool, runTool, type ToolOptions, type ToolStore } from './run-tool.ts'
