/** checkFiles: stores or removes the present state of files. Recall computes freshness from it; nothing else is stored. */

import type { FileCheck } from '../../../src/core/evidence/freshness.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import { isPlainObject } from '../../../src/core/model/plain-object.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import type { Ports } from '../common/ports.ts'

/** Stores all states or none: one invalid state rejects the call. */
export async function checkFiles(
  ports: Ports,
  input: readonly FileCheck[],
  { now, operation, signal }: RequestContext,
): Promise<void> {
  const states = parseStates(input)
  await ports.writeQueue.write(async () => {
    const { store, storage, emit } = ports
    if (operation !== undefined && store.done(operation)) return
    const before = store.revision()
    const done = operation === undefined ? [] : [{ operation, at: now, answer: '' }]
    const revision = store.commitFileStates(states, now, done)
    await storage.flush?.()
    // A forgotten path must leave the journal, too, like a forgotten record.
    if (states.some(({ exists }) => exists === null)) await storage.checkpoint()
    if (revision !== before) emit({ type: 'changed', revision, ids: [] })
  }, signal)
}

const fields = ['path', 'exists', 'sha256', 'mtime', 'git'] as const

function parseStates(input: unknown): readonly FileCheck[] {
  if (!Array.isArray(input)) throw refuse('states', input, 'must be an array', 'Give an array of file states.')
  if (input.length > tuning.maxPutBatch)
    throw refuse(
      'states',
      input.length,
      `must have at most ${tuning.maxPutBatch} entries`,
      'Give them in several calls.',
    )
  return Array.from(input, (entry, i) => parseState(entry, `states[${i}]`))
}

function parseState(input: unknown, at: string): FileCheck {
  if (!isPlainObject(input)) throw refuse(at, input, 'must be an object', 'Give { path, exists }.')
  for (const key of Object.keys(input))
    if (!(fields as readonly string[]).includes(key))
      throw refuse(`${at}.${key}`, input[key], 'must be a known field', `Use one of ${fields.join(', ')}.`)
  const { path, exists, sha256, mtime, git } = input
  if (typeof path !== 'string' || path.trim() === '' || path.length > tuning.maxTextBytes)
    throw refuse(`${at}.path`, path, 'must be a path', 'Give the path as the records have it.')
  if (exists === null && (sha256 ?? mtime ?? git ?? null) !== null)
    throw refuse(at, input, 'must be { path, exists: null } to forget a path', 'Leave out the other fields.')
  if (exists === null) return { path: path.replaceAll('\\', '/'), exists }
  if (typeof exists !== 'boolean')
    throw refuse(
      `${at}.exists`,
      exists,
      'must be a boolean or null',
      'Give true or false. Give null to forget the path.',
    )
  for (const [name, value] of [
    ['sha256', sha256],
    ['git', git],
  ] as const)
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw refuse(`${at}.${name}`, value, 'must be a string', 'Give a string, or leave it out.')
  if (mtime !== undefined && mtime !== null && !(typeof mtime === 'number' && Math.abs(mtime) <= tuning.maxTimestampMs))
    throw refuse(`${at}.mtime`, mtime, 'must be a time', 'Give milliseconds since the epoch, or leave it out.')
  return {
    path: path.replaceAll('\\', '/'),
    exists,
    sha256: (sha256 as string | null | undefined) ?? null,
    mtime: mtime ?? null,
    git: (git as string | null | undefined) ?? null,
  }
}

function refuse(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_ARGUMENT', problem, { field, value, hint })
}
