/** Describes the tools of `scrubjay/tools` as the protocol does: JSON Schema, a title, and hints on what a call changes. */
import { type ToolName, toolDefinitions, toolNames } from '../tools/definitions.ts'

const titles: Readonly<Record<ToolName, string>> = {
  remember: 'Remember something',
  recall: 'Recall from memory',
  about: 'Tell what is known',
  why: 'Explain an answer',
  forget: 'Forget for good',
  assemble: 'Collect context for a task',
}

export interface DescribedTool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>
  readonly annotations: Readonly<Record<string, boolean | string>>
}

/** The answer to `tools/list`. Clients ask the user before a call that is marked as destructive. */
export function describeTools(offered: readonly ToolName[] = toolNames): readonly DescribedTool[] {
  return offered.map((name) => {
    const { description, parameters } = toolDefinitions[name]
    return {
      name,
      title: titles[name],
      description,
      inputSchema: { ...parameters },
      annotations: {
        title: titles[name],
        readOnlyHint: name !== 'remember' && name !== 'forget',
        destructiveHint: name === 'forget',
        // The id of a new record comes from its content, so a repeated call changes nothing.
        idempotentHint: true,
        openWorldHint: false,
      },
    }
  })
}
