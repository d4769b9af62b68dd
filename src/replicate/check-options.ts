/** Checks the arguments of `replicate`. Throws `INVALID_CONFIG`, which names the field, or `STORAGE_UNAVAILABLE` without WebCrypto. */
import { type RecallError, recallError } from '../core/model/errors.ts'
import type { ReplicatedStore, ReplicateOptions } from './options.ts'
import { maxBlobBytes as defaultBlobBytes } from './transports/limits.ts'

const defaultEveryMs = 60_000
const leastEveryMs = 1_000
const defaultDeadlineMs = 60_000
const mostMs = 2 ** 31 - 1
const mostBlobBytes = 2 ** 30

export function checkOptions(store: ReplicatedStore, options: ReplicateOptions) {
  const { transport, key, everyMs = defaultEveryMs, onError, onRound } = options ?? {}
  const { deadlineMs = defaultDeadlineMs, maxBlobBytes = defaultBlobBytes, onConflict } = options ?? {}
  if ([store?.exportTo, store?.importFrom, store?.status].some((method) => typeof method !== 'function'))
    throw wrong('store', 'must be an open store', 'Give what openRecall resolved to.')
  if ((globalThis.crypto as Partial<Crypto> | undefined)?.subtle === undefined)
    throw recallError('STORAGE_UNAVAILABLE', 'This page has no WebCrypto, so blobs cannot be encrypted', {
      hint: 'Serve the page over HTTPS, or from localhost.',
    })
  for (const method of ['list', 'get', 'put'] as const)
    if (typeof transport?.[method] !== 'function')
      throw wrong(
        `options.transport.${method}`,
        'must be a function',
        'Use webDavTransport, or write one: { list, get, put }.',
      )
  if (!(key instanceof Uint8Array) || key.length !== 32)
    throw wrong(
      'options.key',
      'must be a Uint8Array of 32 bytes',
      'Make it once with crypto.getRandomValues(new Uint8Array(32)).',
    )
  if (key.every((byte) => byte === 0))
    throw wrong(
      'options.key',
      'must not be 32 zeros, a key that everyone knows',
      'Make it once with crypto.getRandomValues(new Uint8Array(32)).',
    )
  if (everyMs !== null && !(typeof everyMs === 'number' && everyMs >= leastEveryMs && everyMs <= mostMs))
    throw wrong(
      'options.everyMs',
      `must be null or a number from ${leastEveryMs} to 2147483647`,
      'Leave it out for one minute.',
    )
  const numbers = { deadlineMs: [deadlineMs, mostMs], maxBlobBytes: [maxBlobBytes, mostBlobBytes] } as const
  for (const [name, [given, most]] of Object.entries(numbers))
    if (!(Number.isInteger(given) && given >= 1 && given <= most))
      throw wrong(`options.${name}`, `must be an integer from 1 to ${most}`, 'Leave it out for the default.')
  for (const [name, given] of Object.entries({ onError, onRound, onConflict }))
    if (given !== undefined && typeof given !== 'function')
      throw wrong(`options.${name}`, 'must be a function', 'Leave it out, or give a function.')
  return { transport, key, everyMs, deadlineMs, maxBlobBytes, onError, onRound, onConflict }
}

/** The value is never part of the error: it may be the key. */
function wrong(field: string, problem: string, hint: string): RecallError {
  return recallError('INVALID_CONFIG', problem, { field, hint })
}
