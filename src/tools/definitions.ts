/**
 * Defines the tools for language models: names, descriptions for the model, and JSON Schemas of their arguments. The model cannot set
 * provenance, scope and ids of new records, because the app sets them, and it can forget records only by id.
 */

/** The part of JSON Schema that `check-arguments.ts` supports. */
export type ArgumentSchema =
  | {
      readonly type: 'string'
      readonly description?: string
      readonly minLength?: number
      readonly maxLength?: number
      readonly format?: 'date-time'
    }
  | {
      readonly type: 'integer' | 'number'
      readonly description?: string
      readonly minimum?: number
      readonly maximum?: number
    }
  | {
      readonly type: 'array'
      readonly description?: string
      readonly items: ArgumentSchema
      readonly minItems?: number
      readonly maxItems?: number
    }

export interface ArgumentsSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ArgumentSchema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

export interface ToolDefinition {
  readonly name: ToolName
  readonly description: string
  readonly parameters: ArgumentsSchema
}

export const toolNames = ['remember', 'recall', 'about', 'why', 'forget', 'assemble'] as const
export type ToolName = (typeof toolNames)[number]

const id = { type: 'string', minLength: 1, maxLength: 512 } as const
const tags = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 256 }, maxItems: 32 } as const

export const toolDefinitions: Readonly<Record<ToolName, ToolDefinition>> = Object.freeze({
  remember: {
    name: 'remember',
    description:
      'Stores something worth knowing later: a decision, a fact, a preference, how a problem was solved. One idea per call, in words that will still make sense without this conversation.',
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 200, description: 'A short heading.' },
        text: { type: 'string', minLength: 1, maxLength: 50_000, description: 'What is to be known.' },
        kind: {
          type: 'string',
          minLength: 1,
          maxLength: 64,
          description: 'For example note, decision, preference, fact. Default note.',
        },
        tags: { ...tags, description: 'A few words to find it by.' },
        importance: { type: 'number', minimum: 0, maximum: 10, description: 'Default 1; 2 weighs twice as much.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
  },
  recall: {
    name: 'recall',
    description:
      'Finds what was stored that helps with a question. Call it before answering from memory. "evidence": "none" means that nothing stored answers it.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 4096, description: 'The question, or words to look for.' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Most records to return. Default 5.' },
        tags: { ...tags, description: 'Only records with one of these tags.' },
        kind: { type: 'string', minLength: 1, maxLength: 64, description: 'Only records of this kind.' },
        after: {
          type: 'string',
          format: 'date-time',
          description: 'Only records from this time on, for example 2026-01-31T00:00:00Z.',
        },
        before: { type: 'string', format: 'date-time', description: 'Only records before this time.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
  },
  about: {
    name: 'about',
    description:
      'Returns what is stored about a person, project or thing: what holds now, then what held earlier and what replaced it, with days. "me" is the user.',
    parameters: {
      type: 'object',
      properties: {
        subject: { type: 'string', minLength: 1, maxLength: 4096, description: 'A name or a few words, such as Anna.' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Most records, the latest. Default 20.' },
      },
      required: ['subject'],
      additionalProperties: false,
    },
  },
  why: {
    name: 'why',
    description: 'Explains why a stored record is in the answer to a question, or what kept it out.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 4096, description: 'The question that was asked.' },
        id: { ...id, description: 'The id of the record.' },
      },
      required: ['query', 'id'],
      additionalProperties: false,
    },
  },
  forget: {
    name: 'forget',
    description: 'Removes records for good, by the ids that recall gave. Only when the user asks for it.',
    parameters: {
      type: 'object',
      properties: { ids: { type: 'array', items: id, minItems: 1, maxItems: 50, description: 'Ids of records.' } },
      required: ['ids'],
      additionalProperties: false,
    },
  },
  assemble: {
    name: 'assemble',
    description:
      'Collects what is stored about a task into one text within a budget of tokens: matching records, records linked to them and reminders that are due. Call it once at the start of a task; use recall for single questions.',
    parameters: {
      type: 'object',
      properties: {
        task: {
          type: 'string',
          minLength: 1,
          maxLength: 4096,
          description: 'What the user wants to do, in a sentence.',
        },
        maxTokens: { type: 'integer', minimum: 50, maximum: 20_000, description: 'Budget of the text. Default 1000.' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Most records. Default 10.' },
      },
      required: ['task'],
      additionalProperties: false,
    },
  },
})

/** Returns the value of `tools` for OpenAI's chat completions and compatible APIs. Default: all tools. */
export function openaiTools(names: readonly ToolName[] = toolNames) {
  return names.map((name) => ({ type: 'function' as const, function: toolDefinitions[name] }))
}

/** Returns the value of `tools` for Anthropic's messages. Default: all tools. */
export function anthropicTools(names: readonly ToolName[] = toolNames) {
  return names.map((name) => {
    const { description, parameters } = toolDefinitions[name]
    return { name, description, input_schema: parameters }
  })
}
