/** [E1] Tests the text of an error, and the deprecated name of the hint. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addHint, problemOf, RecallError, recallError } from '../../../src/core/model/errors.ts'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { parseReceived } from '../../../worker/tabs/messages.ts'

const root = join(import.meta.dirname, '../../..')

/** Files that may name `cure`: the alias itself, and readers of errors from an older version. */
const aliasFiles = [
  'src/core/model/errors.ts',
  'src/core/model/receipts.ts',
  'worker/methods/common/idempotency.ts',
  'worker/tabs/messages.ts',
]

const namesCure = (code: string) => /\bcure\b/i.test(code)

describe('the text of an error', () => {
  const limit = { field: 'limit', value: 0, hint: 'Give a number.' }

  test('[E1] begins with the field and ends with the hint', () => {
    expect(recallError('INVALID_ARGUMENT', 'must be at least 1', limit).message).toBe(
      '`limit` must be at least 1, got 0. Hint: Give a number.',
    )
    expect(recallError('CLOSED', 'The store is closed', { hint: 'Open it again.' }).message).toBe(
      'The store is closed. Hint: Open it again.',
    )
    expect(recallError('CLOSED', 'The store is closed.').message).toBe('The store is closed.')
  })

  test('[E1] has a part without the hint, and takes more hints', () => {
    const error = recallError('INVALID_ARGUMENT', 'must be at least 1', limit)
    expect(problemOf(error)).toBe('`limit` must be at least 1, got 0')
    const more = addHint(error, 'Then call again.', { committed: 3 })
    expect(more.message).toBe('`limit` must be at least 1, got 0. Hint: Give a number. Then call again.')
    expect(more).toMatchObject({ field: 'limit', hint: 'Give a number. Then call again.', committed: 3 })
  })
})

describe('the alias landed', () => {
  test('[E1] has the value of committed, and is read as it', () => {
    const error = new RecallError({ code: 'ABORTED', message: 'The call was aborted.', committed: 500 })
    expect(error.landed).toBe(500)
    expect(error.toDetails()).toMatchObject({ committed: 500, landed: 500 })
    expect(new RecallError({ code: 'ABORTED', message: '', landed: 500 }).committed).toBe(500)
    expect(new RecallError({ code: 'ABORTED', message: '' }).toDetails()).not.toHaveProperty('committed')
  })
})

describe('the alias cure', () => {
  test('[E1] has the value of hint', () => {
    const error = recallError('CLOSED', 'The store is closed', { hint: 'Open it again.' })
    expect(error.cure).toBe('Open it again.')
    expect(error.toDetails()).toMatchObject({ hint: 'Open it again.', cure: 'Open it again.' })
  })

  test('[E1] of an older version is read as the hint', () => {
    const details = { code: 'CLOSED', message: 'closed', cure: 'Open it again.' } as const
    expect(new RecallError(details).hint).toBe('Open it again.')
    const answer = { type: 'answer', id: 'a', answer: { kind: 'error', error: details } }
    const posted = { scrubjay: 'tabs', version: protocolVersion, from: 'b', message: answer }
    expect(parseReceived(posted)?.message).toMatchObject({ answer: { error: { hint: 'Open it again.' } } })
  })

  test('[E1] is used by no other file of the project', () => {
    const files = ['src', 'worker', 'demo'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(ts|tsx|mjs|html)$/.test(path))
        .map((path) => `${folder}/${path}`),
    )
    expect(files.length).toBeGreaterThan(200)
    const naming = files.filter((path) => namesCure(readFileSync(join(root, path), 'utf8')))
    expect(naming.sort()).toEqual(aliasFiles)
  })

  test('control: a use of the alias is found', () => {
    expect(namesCure('const text = error.cure')).toBe(true)
    expect(namesCure('const { cure } = error')).toBe(true)
    expect(namesCure('const secure = true')).toBe(false)
  })
})
