/** Checks that the second connection of a long transaction never outlives it. An open one would keep the store from being closed. */
import { expect, test, vi } from 'vitest'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { createStepwiseDatabase } from '../../../worker/sqlite/stepwise-database.ts'

function databaseWith(begin: SqliteDatabase['begin']) {
  const reader = { close: vi.fn() } as unknown as SqliteDatabase
  const writer = { begin, regain: () => false } as unknown as SqliteDatabase
  const ended = vi.fn()
  return { database: createStepwiseDatabase(writer, () => reader, ended), reader, ended }
}

const work = function* () {
  yield { done: 0, total: 1 } as never
}

test('[P1] a transaction that cannot begin closes the reader that was opened for it', () => {
  const { database, reader, ended } = databaseWith(() => {
    throw new Error('page 1 cannot be read')
  })
  expect(() => database.inSteps({ pauses: true }, work).next()).toThrow('page 1 cannot be read')
  expect(reader.close).toHaveBeenCalledTimes(1)
  expect(ended).toHaveBeenCalledWith(reader)
})

test('a transaction that is abandoned between steps closes it, too, and rolls back', () => {
  const rollback = vi.fn()
  const { database, reader } = databaseWith(() => ({ commit: vi.fn(), rollback }))
  const steps = database.inSteps({ pauses: true }, work)
  steps.next()
  expect(reader.close).not.toHaveBeenCalled()
  steps.return(undefined as never)
  expect(reader.close).toHaveBeenCalledTimes(1)
  expect(rollback).toHaveBeenCalledTimes(1)
})
