/**
 * Runs the tool call of a language model. The app sets with `scope` and `record` what the model can see and change; the model's
 * arguments can only narrow this. Answers are plain JSON, in which no character is hidden [X2].
 */
import type { CallOptions, Recall } from '../client/api/recall.ts'
import { RecallError, recallError } from '../core/model/errors.ts'
import type { Scope } from '../core/model/query.ts'
import type { RecordInput } from '../core/model/record.ts'
import { readShown, showAll } from '../core/present/escape.ts'
import { type CheckedArguments, checkArguments } from './check-arguments.ts'
import { type ToolName, toolDefinitions, toolNames } from './definitions.ts'
import { describeAbout, describeContribution, describeHit, type JsonObject } from './describe-records.ts'

export interface ToolOptions extends CallOptions {
  /** Tools that the model may call; others are refused. Default: all. */
  readonly offered?: readonly ToolName[] | undefined
  /** Records that `recall`, `about`, `why`, `forget` and `assemble` can see. Default: the whole store. */
  readonly scope?: Scope | undefined
  /**
   * Fields of every new record, such as project, agent or session. They replace the model's own fields; tags are joined. Default:
   * `source: 'llm_response', authority: 'llm_generated'`.
   */
  readonly record?: Partial<RecordInput> | undefined
  /** IANA name of the zone in which times in questions are read, such as `Europe/Berlin`. Default: that of the store. */
  readonly timeZone?: string | undefined
  /** Maximum number of characters of a record's text in an answer. Default 2,000. */
  readonly maxCharacters?: number | undefined
}

/** The methods of a store that the tools use. */
export type ToolStore = Pick<Recall, 'put' | 'recall' | 'about' | 'why' | 'list' | 'forget' | 'assemble'>

/**
 * Runs a tool with the model's arguments, an object or its JSON text. Rejects with `INVALID_ARGUMENT` for wrong arguments and for a tool
 * that is unknown or not offered, and with the store's errors. `answerTool` returns these errors as answers for the model.
 */
export async function runTool(
  recall: ToolStore,
  name: string,
  args: unknown,
  options: ToolOptions = {},
): Promise<JsonObject> {
  const { offered = toolNames } = options
  if (!isOneOf(offered, name)) {
    throw recallError(
      'INVALID_ARGUMENT',
      isOneOf(toolNames, name) ? 'must be an offered tool' : 'must be a known tool',
      {
        field: 'name',
        value: name,
        hint: offered.length === 0 ? 'Answer without tools.' : `Use one of ${offered.join(', ')}.`,
      },
    )
  }
  return showAll(await tools[name](recall, checkArguments(toolDefinitions[name].parameters, args), options))
}

/** Like `runTool`, but returns a `RecallError` as the answer `{ error: { code, message, field, hint } }`. */
export async function answerTool(
  recall: ToolStore,
  name: string,
  args: unknown,
  options: ToolOptions = {},
): Promise<JsonObject> {
  try {
    return await runTool(recall, name, args, options)
  } catch (error) {
    if (!(error instanceof RecallError)) throw error
    const { code, message, field = null, hint = null } = error.toDetails()
    return showAll({ error: { code, message, field, hint } })
  }
}

function isOneOf(names: readonly ToolName[], name: string): name is ToolName {
  return (names as readonly string[]).includes(name)
}

type Tool = (recall: ToolStore, args: CheckedArguments, options: ToolOptions) => Promise<JsonObject>

const tools: Readonly<Record<ToolName, Tool>> = {
  remember,
  recall: recallRecords,
  about,
  why,
  forget,
  assemble,
}

async function remember(
  recall: ToolStore,
  args: CheckedArguments,
  { record, signal }: ToolOptions,
): Promise<JsonObject> {
  const { text, ...own } = args as Partial<RecordInput> & { readonly text: string }
  const tags = [...new Set([...(record?.tags ?? []), ...(own.tags ?? [])])]
  const { records, durability } = await recall.put(
    { source: 'llm_response', authority: 'llm_generated', ...own, body: text, ...record, tags },
    { signal },
  )
  const [outcome] = records
  return { id: outcome?.id ?? '', outcome: outcome?.outcome ?? 'rejected', durability }
}

async function recallRecords(recall: ToolStore, args: CheckedArguments, options: ToolOptions): Promise<JsonObject> {
  const {
    query,
    limit = 5,
    tags,
    kind,
    after,
    before,
  } = args as {
    readonly query: string
    readonly limit?: number
    readonly tags?: readonly string[]
    readonly kind?: string
    readonly after?: string
    readonly before?: string
  }
  const { scope = {}, signal, maxCharacters = 2000 } = options
  const zone = zoneOf(options)
  if (kind !== undefined && !isAllowed(scope.kind, kind)) return emptyAnswer
  const narrowed: Scope = {
    ...scope,
    ...(kind === undefined ? {} : { kind }),
    ...(after === undefined && before === undefined ? {} : { time: narrowTime(scope.time, after, before) }),
  }
  // A scope has only one list `any`. If the app uses it, the model's tags are compared here.
  const isFiltered = tags !== undefined && scope.tags?.any !== undefined
  const { hits, evidence, plan } = await recall.recall(
    {
      text: query,
      limit: isFiltered ? 1000 : limit,
      ...zone,
      scope: tags === undefined || isFiltered ? narrowed : { ...narrowed, tags: { ...scope.tags, any: tags } },
    },
    { signal },
  )
  const matching = isFiltered ? hits.filter(({ record }) => record.tags.some((tag) => tags.includes(tag))) : hits
  const corrected = plan.read.flatMap((one) => (one.kind === 'typo' ? [`${one.text} read as ${one.as}`] : []))
  return {
    evidence: evidence.strength,
    ...(corrected.length === 0 ? {} : { corrected }),
    records: matching.slice(0, limit).map((hit) => describeHit(hit, maxCharacters)),
  }
}

function zoneOf({ timeZone }: ToolOptions): { readonly timeZone?: string } {
  return timeZone === undefined ? {} : { timeZone }
}

const emptyAnswer: JsonObject = { evidence: 'none', records: [] }

function isAllowed(allowed: string | readonly string[] | undefined, value: string): boolean {
  return allowed === undefined || (typeof allowed === 'string' ? allowed === value : allowed.includes(value))
}

function narrowTime(time: Scope['time'], after: string | undefined, before: string | undefined): Scope['time'] {
  const from = [time?.after, after === undefined ? undefined : Date.parse(after)].filter((ms) => ms !== undefined)
  const to = [time?.before, before === undefined ? undefined : Date.parse(before)].filter((ms) => ms !== undefined)
  return {
    ...(time?.of === undefined ? {} : { of: time.of }),
    ...(from.length === 0 ? {} : { after: Math.max(...from) }),
    ...(to.length === 0 ? {} : { before: Math.min(...to) }),
  }
}

async function about(recall: ToolStore, args: CheckedArguments, options: ToolOptions): Promise<JsonObject> {
  const { scope, signal, maxCharacters = 2000 } = options
  const { subject, limit = 20 } = args as { readonly subject: string; readonly limit?: number }
  const known = await recall.about(subject, { limit, ...(scope === undefined ? {} : { scope }), signal })
  return describeAbout(known, maxCharacters)
}

async function why(recall: ToolStore, args: CheckedArguments, options: ToolOptions): Promise<JsonObject> {
  const { scope, signal } = options
  const { query, id: given } = args as { readonly query: string; readonly id: string }
  const [id] = await idsInScope(recall, [given], scope, signal)
  if (id === undefined) return { id: given, selected: false, reason: 'no record in the scope has this id', steps: [] }
  const explanation = await recall.why(
    { text: query, ...zoneOf(options), ...(scope === undefined ? {} : { scope }) },
    id,
    { signal },
  )
  return {
    id,
    selected: explanation.selected,
    place: explanation.place,
    reason: explanation.reason,
    steps: explanation.steps.map(({ stage, passed, detail }) => ({ stage, passed, detail })),
    contributions: explanation.contributions.map(describeContribution),
  }
}

async function forget(recall: ToolStore, args: CheckedArguments, { scope, signal }: ToolOptions): Promise<JsonObject> {
  const { ids } = args as { readonly ids: readonly string[] }
  const visibleIds = await idsInScope(recall, ids, scope, signal)
  const missing = ids.filter((id) => !visibleIds.includes(id) && !visibleIds.includes(readShown(id)))
  if (visibleIds.length === 0) return { forgotten: [], missing }
  const receipt = await recall.forget(visibleIds, { signal })
  return { forgotten: [...receipt.forgotten], missing }
}

async function assemble(recall: ToolStore, args: CheckedArguments, options: ToolOptions): Promise<JsonObject> {
  const { scope, signal } = options
  const {
    task,
    maxTokens = 1000,
    limit = 10,
  } = args as { readonly task: string; readonly maxTokens?: number; readonly limit?: number }
  const { formatted, records, evidence, metadata } = await recall.assemble(
    {
      text: task,
      maxTokens,
      maxItems: limit,
      format: 'compact',
      ...zoneOf(options),
      ...(scope === undefined ? {} : { scope }),
    },
    { signal },
  )
  return {
    evidence: evidence.strength,
    text: formatted,
    tokens: metadata.tokenCount,
    ...(metadata.tokenCount > maxTokens ? { overBudget: true } : {}),
    ids: records.map(({ id }) => id),
  }
}

/** Returns the stored ids in the scope, which answers may have shown in another form. Ids outside the scope look like ids that are not stored. */
async function idsInScope(
  recall: ToolStore,
  ids: readonly string[],
  scope: Scope = {},
  signal: CallOptions['signal'],
): Promise<readonly string[]> {
  const meant = [...new Set(ids.flatMap((id) => [id, readShown(id)]))]
  const allowed = scope.ids === undefined ? meant : meant.filter((id) => scope.ids?.includes(id))
  if (allowed.length === 0) return []
  const { items } = await recall.list({ ...scope, ids: allowed }, { signal })
  return items.map(({ id }) => id)
}
