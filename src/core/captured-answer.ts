/**
 * A captured answer as a small file: question, policy, facts, answer and digests. Anyone can check it without the store: the facts are decided
 * again, and the answer must come out with the same bytes.
 */
import { recallError } from './model/errors.ts'
import { isPlainObject } from './model/plain-object.ts'
import type { Policy } from './model/policy.ts'
import type { RecallQuery } from './model/query.ts'
import type { RecallResult } from './model/result.ts'
import { type CapturedFacts, replay } from './replay.ts'
import { canonicalJson } from './text/hash/canonical.ts'
import { sha256Hex } from './text/hash/sha256.ts'
import { fromTypedJson, type JsonValue, toTypedJson } from './text/hash/typed-json.ts'

const format = 'scrubjay-answer'

/** Plain JSON. It holds the texts of the records that the recall read, so it is as private as they are. */
export interface CapturedAnswer {
  readonly format: typeof format
  readonly version: 1
  /** The query as it was asked, without a vector. */
  readonly question: JsonValue
  readonly policy: Policy
  /** The answer without `facts` and `tookMs`. */
  readonly answer: JsonValue
  /** The facts that the answer was decided from; typed arrays and maps as `toTypedJson` writes them. */
  readonly facts: JsonValue
  /** SHA-256 hex of the canonical JSON of each part. */
  readonly digests: {
    readonly question: string
    readonly policy: string
    readonly answer: string
    readonly facts: string
  }
}

/** The content of a checked file. */
export interface CheckedAnswer {
  readonly question: RecallQuery
  readonly policy: Policy
  readonly answer: Omit<RecallResult, 'tookMs' | 'facts'>
}

/** Builds the file of an answer to a recall with `capture: true`. Throws `INVALID_ARGUMENT` for other answers. */
export function captureAnswer(result: RecallResult): CapturedAnswer {
  const { facts, tookMs: _tookMs, ...answer } = result
  if (facts === undefined) {
    throw recallError('INVALID_ARGUMENT', 'must have facts', {
      field: 'result.facts',
      value: facts,
      hint: 'Ask with capture: true.',
    })
  }
  const { plan } = facts as CapturedFacts
  const { vector: _vector, policy: _policy, ...question } = plan.query
  const content = {
    question: toTypedJson(question),
    policy: plan.policy,
    answer: toTypedJson(answer),
    facts: toTypedJson(facts),
  }
  return { format, version: 1, ...content, digests: digestsOf(content) }
}

/**
 * Checks a file and returns its content. Throws `INVALID_ARGUMENT`, which names the wrong part: another format, a digest that differs,
 * or facts that give another answer or belong to another question or policy. A file whose facts were invented as a whole passes: it proves that
 * the answer follows from the facts, not that a store had them.
 */
export function verifyAnswer(file: unknown): CheckedAnswer {
  if (!isPlainObject(file) || file['format'] !== format || file['version'] !== 1) {
    throw wrong(
      'format',
      'must be a captured answer of version 1',
      'Give the file that `scrubjay recall --capture` wrote.',
    )
  }
  const { question, policy, answer, facts, digests } = file as unknown as CapturedAnswer
  refuseOthers(file, [...parts, 'format', 'version', 'digests'], '')
  if (isPlainObject(digests)) refuseOthers(digests, parts, 'digests.')
  const found = digestsOf({ question, policy, answer, facts })
  for (const part of parts) {
    if (!isPlainObject(digests) || digests[part] !== found[part])
      throw wrong(
        part,
        'must be unchanged since the answer was captured',
        'Ask for the file again: this one was changed.',
      )
  }
  const captured = decoded(facts, 'facts') as CapturedFacts
  const checked = decoded(answer, 'answer') as CheckedAnswer['answer']
  const again = decidedAgain(checked, captured)
  if (canonicalJson(again) !== canonicalJson(checked))
    throw wrong('answer', 'must follow from the facts', 'Do not trust this answer: its facts give another one.')
  const { vector: _vector, policy: _policy, ...asked } = captured.plan.query
  if (canonicalJson(toTypedJson(asked)) !== canonicalJson(question))
    throw wrong('question', 'must belong to the facts', 'Do not trust this file: its facts are of another question.')
  if (canonicalJson(captured.plan.policy) !== canonicalJson(policy))
    throw wrong('policy', 'must belong to the facts', 'Do not trust this file: its facts are of another policy.')
  return { question: asked, policy, answer: checked }
}

const parts = ['question', 'policy', 'answer', 'facts'] as const

/** What no digest covers would look checked. */
function refuseOthers(members: object, known: readonly string[], at: string): void {
  for (const name of Object.keys(members))
    if (!known.includes(name))
      throw wrong(`${at}${name}`, 'must be a known member', 'Ask for the file again: this one was changed.')
}

function digestsOf(parts: Pick<CapturedAnswer, 'question' | 'policy' | 'answer' | 'facts'>): CapturedAnswer['digests'] {
  const { question, policy, answer, facts } = parts
  const digest = (part: unknown) => sha256Hex(canonicalJson(part ?? null))
  return { question: digest(question), policy: digest(policy), answer: digest(answer), facts: digest(facts) }
}

function decoded(json: JsonValue, field: string): unknown {
  try {
    return fromTypedJson(json)
  } catch (error) {
    throw wrong(field, `must be complete: ${(error as Error).message.replace(/\.$/, '')}`, 'Ask for the file again.')
  }
}

function decidedAgain(answer: CheckedAnswer['answer'], captured: CapturedFacts) {
  try {
    return replay(answer.receipt, captured)
  } catch (error) {
    if ((error as Partial<Error>).name === 'RecallError') throw error
    // Facts with holes make deciding fail anywhere.
    throw wrong('facts', 'must be those of a recall', 'Ask for the file again: facts are missing in this one.')
  }
}

function wrong(field: string, problem: string, hint: string) {
  return recallError('INVALID_ARGUMENT', problem, { field, hint })
}
