/** Checks the options and listeners that calls get. A misspelt option must not be ignored: it may be the limit of an import. */
import { type RecallError, recallError } from '../../core/model/errors.ts'
import type {
  CallOptions,
  CompactOptions,
  ExportOptions,
  ImportOptions,
  IntegrityOptions,
  LiveOptions,
  PutOptions,
  RetainOptions,
} from '../api/recall.ts'
import { aborted } from '../link/aborted.ts'
import { onAbort } from '../link/on-abort.ts'

/** Checks the options of a call and returns its signal, if it has one. Throws `ABORTED` if it is already aborted. */
export function refuseAborted(options: CallOptions | undefined): AbortSignal | undefined {
  if (options === undefined || options === null) return undefined
  if (typeof options !== 'object') throw unknownOption('options', options)
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(knownOptions, name)) throw unknownOption(`options.${name}`, options[name as keyof CallOptions])
  }
  const { signal } = options
  if (signal === undefined) return undefined
  if (signal instanceof AbortSignal) {
    if (signal.aborted) throw aborted()
    return signal
  }
  throw recallError('INVALID_ARGUMENT', 'must be an AbortSignal', {
    field: 'signal',
    value: signal,
    hint: 'Give the signal of an AbortController.',
  })
}

/** Checks the options of a call, and listens to their signal. Returns a function that removes the listener. */
export function whenAborted(options: CallOptions | undefined, listener: () => void): () => void {
  const signal = refuseAborted(options)
  return signal === undefined ? () => undefined : onAbort(signal, listener)
}

type OptionName = keyof (CallOptions &
  PutOptions &
  ExportOptions &
  ImportOptions &
  CompactOptions &
  IntegrityOptions &
  RetainOptions &
  LiveOptions)

/** Of all methods; each reads its own. The type demands every option that a method declares. */
const knownOptions = {
  signal: true,
  atomic: true,
  findContradictions: true,
  mode: true,
  authorityTier: true,
  redact: true,
  learned: true,
  onConflict: true,
  lock: true,
  encrypted: true,
  newKey: true,
  repair: true,
  dryRun: true,
  onError: true,
} satisfies Record<OptionName, true>

/** Silently ignored, `recall('deploy', { limit: 5 })` would answer with the default limit. */
function unknownOption(field: string, value: unknown): RecallError {
  return recallError('INVALID_ARGUMENT', field === 'options' ? 'must be an object' : 'must be a known option', {
    field,
    value,
    hint: 'Fields of a question belong in the first argument: recall({ text, limit }). Options are signal and those of the method.',
  })
}

export function withoutListener(listener: unknown): RecallError {
  return recallError('INVALID_ARGUMENT', 'must be a function', {
    field: 'listener',
    value: listener,
    hint: 'Give subscribe({ query }, listener) for answers, or subscribe(listener) for events.',
  })
}
