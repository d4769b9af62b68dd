/** A folder for each test of the importing file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Answer, Method } from '../../../../src/protocol/engine-api.ts'
import { type Reply, unwrap } from '../../../../src/protocol/envelope.ts'
import { type InlineEngine, openInline } from '../../../../worker/inline.ts'
import { engineOptions } from '../../../support/stores/engine-options.ts'
import { startOfTime } from '../../../support/stores/open-engine.ts'

export let folder: string
export let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrubjay-file-'))
  path = join(folder, 'memory.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))
export const records = Array.from({ length: 60 }, (_, i) => ({
  id: `note-${i}`,
  title: `Note ${i}`,
  body: `The jay hid ${i % 9} acorns under the ${i % 2 === 0 ? 'old oak' : 'young beech'} on day ${i}.`,
  tags: [i % 3 === 0 ? 'third' : 'other'],
}))
export const questions = ['acorns under the oak', 'beech day 7', 'where did the jay hide five acorns', 'deploy']

/** Each engine has its own sockets, as if it were in a process of its own. */
export const openEngine = (at = path) => openInline({ ...engineOptions, name: at, storage: 'file' }, { kind: 'none' })

let calls = 0
export async function call<M extends Method>(
  engine: InlineEngine,
  method: M,
  request: object = {},
  operation?: string,
): Promise<Answer<M>> {
  calls += 1
  const context = { now: startOfTime, operation }
  return unwrap(
    (await engine.call({ id: String(calls), method, request, context, deadlineMs: 10_000 })) as Reply<Answer<M>>,
  )
}
export const put = (engine: InlineEngine, id: string) =>
  call(engine, 'put', { batch: [{ id, body: `text of ${id}` }] }, `put ${id}`)
export const ids = async (engine: InlineEngine) =>
  (await call(engine, 'list', { filter: {} })).items.map(({ id }) => id).sort()
export const close = (engine: InlineEngine) => call(engine, 'close')
