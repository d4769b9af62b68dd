/**
 * Validates the requests of `assemble` and `assess`: from unknown input to a complete request, or one typed error that names the
 * field, before anything is read.
 */
import { parseObject, refuse } from '../ingest/parse-fields.ts'
import { type AssembleRequest, type AssessRequest, contextFormats } from '../model/assemble.ts'
import { meantBy } from '../model/nearest.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { RecallQuery } from '../model/query.ts'
import { tuning } from '../model/tuning.ts'
import { parseIds, parseRecallQuery } from './parse-query.ts'

/** With all defaults except those of the policy. */
export type ParsedAssembly = AssembleRequest &
  Required<
    Pick<
      AssembleRequest,
      'cues' | 'maxItems' | 'surfacingThreshold' | 'propagationDepth' | 'format' | 'commitEffects' | 'assessQuality'
    >
  > & {
    /** The recall of the request. Its text includes the cues. */
    readonly query: RecallQuery
    /** Ids that the conversation has already shown. */
    readonly shown: readonly string[]
  }

const shared = [
  'text',
  'vector',
  'scope',
  'prefer',
  'files',
  'policy',
  'now',
  'times',
  'changes',
  'timeZone',
  'asOf',
  'minEvidence',
  'without',
  'in',
  'exclude',
  'perSource',
  'reserve',
] as const satisfies readonly (keyof RecallQuery)[]

const own = [
  'cues',
  'suppress',
  'commitEffects',
  'maxItems',
  'maxTokens',
  'surfacingThreshold',
  'propagationDepth',
  'format',
  'assessQuality',
  'reserveProactive',
  'overflow',
  'roles',
] as const

const invalid = 'INVALID_ARGUMENT'
const instead = { place: 'request', instead: 'Give an object such as { text } or { cues: { task } }.' } as const
type Given = Readonly<Record<string, unknown>>

export function parseAssembleRequest(input: unknown): ParsedAssembly {
  const given = parseObject(input, 'request', new Set([...shared, ...own]), invalid, instead)
  const asked = parseRecallQuery(Object.fromEntries(shared.map((name) => [name, given[name]])), 'request')
  const cues = parseCues(given.cues)
  whole(given, 'maxItems', tuning.maxRecallLimit)
  whole(given, 'maxTokens', Number.MAX_SAFE_INTEGER)
  whole(given, 'reserveProactive', tuning.maxRecallLimit)
  whole(given, 'propagationDepth', tuning.maxPropagationDepth)
  for (const name of ['commitEffects', 'assessQuality']) boolean(given, name)
  finite(given, 'surfacingThreshold')
  choice(given, 'format', contextFormats)
  choice(given, 'overflow', ['skip', 'stop'])
  if (given['roles'] !== undefined) parseIds(given['roles'], 'request.roles')
  const shown = typeof given.suppress === 'boolean' ? [] : parseIds(given.suppress ?? [], 'request.suppress')
  const request = given as AssembleRequest
  return {
    ...request,
    cues,
    query: {
      ...withoutUndefined(asked),
      text: joined(cues, asked.text),
      ...(shown.length === 0 ? {} : { exclude: [...new Set([...(asked.exclude ?? []), ...shown])] }),
    },
    shown,
    maxItems: request.maxItems ?? tuning.maxItems,
    surfacingThreshold: request.surfacingThreshold ?? tuning.surfacingThreshold,
    propagationDepth: request.propagationDepth ?? 2,
    format: request.format ?? 'compact',
    commitEffects: request.commitEffects ?? false,
    assessQuality: request.assessQuality ?? false,
  }
}

export interface ParsedAssessment {
  /** Includes the text, labelled `text`. */
  readonly cues: Readonly<Record<string, string>>
  readonly query: RecallQuery
}

export function parseAssessRequest(input: unknown): ParsedAssessment {
  const given = parseObject(
    input,
    'request',
    new Set(['cues', 'text', 'vector', 'scope', 'policy', 'times', 'timeZone', 'probeLimit']),
    invalid,
    instead,
  )
  const { text, vector, scope, policy, times, timeZone } = given
  const asked = parseRecallQuery({ text, vector, scope, policy, times, timeZone }, 'request')
  const cues = parseCues(given.cues)
  whole(given, 'probeLimit', tuning.maxRecallLimit, 1)
  const { probeLimit = tuning.maxItems } = given as AssessRequest
  return {
    cues: cuesWithText(cues, asked.text),
    query: { ...withoutUndefined(asked), text: joined(cues, asked.text), limit: probeLimit },
  }
}

/** The cues for the quality. The text is one more cue, unless a cue has its label. */
export function cuesWithText(
  cues: Readonly<Record<string, string>>,
  text: string | undefined,
): Readonly<Record<string, string>> {
  return text === undefined || text.trim() === '' || Object.hasOwn(cues, 'text') ? cues : { ...cues, text }
}

/** One cue per line, so that the words of two cues never form a phrase. */
function joined(cues: Readonly<Record<string, string>>, text: string | undefined): string {
  return [...(text === undefined ? [] : [text]), ...Object.values(cues)].join('\n')
}

function parseCues(cues: unknown): Readonly<Record<string, string>> {
  if (cues === undefined) return {}
  if (!isPlainObject(cues))
    throw refuse(
      'request.cues',
      cues,
      'must be an object',
      'Give an object that maps labels of your choice to strings.',
      invalid,
    )
  for (const [label, cue] of Object.entries(cues)) {
    if (typeof cue !== 'string')
      throw refuse(`request.cues.${label}`, cue, 'must be a string', 'Give a string.', invalid)
  }
  return cues as Readonly<Record<string, string>>
}

function whole(given: Given, name: string, max: number, min = 0): void {
  const value = given[name]
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max))
    return
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw refuse(
    `request.${name}`,
    value,
    `must be an integer ${range}`,
    'Give an integer in this range, or leave it out.',
    invalid,
  )
}

function boolean(given: Given, name: string): void {
  const value = given[name]
  if (value === undefined || typeof value === 'boolean') return
  throw refuse(`request.${name}`, value, 'must be a boolean', 'Give true or false.', invalid)
}

function finite(given: Given, name: string): void {
  const value = given[name]
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return
  throw refuse(`request.${name}`, value, 'must be a finite number', 'Give a finite number, or leave it out.', invalid)
}

function choice(given: Given, name: string, known: readonly string[]): void {
  const value = given[name]
  if (value === undefined || known.includes(value as string)) return
  const hint = typeof value === 'string' ? meantBy(value, known) : null
  throw refuse(
    `request.${name}`,
    value,
    `must be one of ${known.join(', ')}`,
    hint ?? 'Use one of these names.',
    invalid,
  )
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T
}
