/** The entry `scrubjay/tools`: memory as tools of a language model. */
export {
  anthropicTools,
  type ArgumentSchema,
  type ArgumentsSchema,
  openaiTools,
  type ToolDefinition,
  toolDefinitions,
  type ToolName,
  toolNames,
} from './definitions.ts'
export { checkArguments, type CheckedArguments } from './check-arguments.ts'
export { answerTool, type Json, type JsonObject, runTool, type ToolOptions, type ToolStore } from './run-tool.ts'
