/**
 * Tests the boundary between page and engine over a real channel: errors, values that cannot be cloned, and
 * how stores open.
 */
import { expose } from 'comlink'
import { describe, expect, test } from 'vitest'
import { openWorkerLink } from '../../../src/client/link/worker-link.ts'
import { errorCodes, RecallError } from '../../../src/core/model/errors.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { replyWith } from '../../../worker/rpc/dispatch.ts'
import { serve } from '../../../worker/rpc/serve.ts'
import { createScriptedEngine, engineOptionsInWorker, noEvents, openPort } from '../../support/scripted-engine.ts'
import { apply, ask, never, open } from './open-bound-client.ts'

describe('errors', () => {
  test.each(errorCodes)('[E1] %s crosses the boundary with field, value and hint', async (code) => {
    const details = { code, message: `about ${code}`, field: 'tags[3]', value: '"x"', hint: 'Do this.' }
    const { engine } = createScriptedEngine(() => {
      throw new RecallError(details)
    })
    const { recall } = await open(engine)
    const error = await recall.status().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RecallError)
    expect((error as RecallError).toDetails()).toEqual({ ...details, cure: details.hint })
  })

  test('[E1] a fault that is not a RecallError is not reported as one', async () => {
    const { engine } = createScriptedEngine(() => {
      throw new RangeError('a bug')
    })
    const { recall } = await open(engine)
    const error = await recall.status().catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(RecallError)
    expect(error).toMatchObject({ name: 'RangeError', message: 'a bug' })
  })

  test('[W2] put of one record rejects with its error, put of many answers per record', async () => {
    const refusal = { id: 'a', outcome: 'rejected', code: 'INVALID_RECORD', field: 'tags[0]', message: 'no' }
    const { engine } = createScriptedEngine((_, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(() => refusal),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine)
    await expect(recall.put({ title: 'a' })).rejects.toMatchObject({ code: 'INVALID_RECORD', field: 'tags[0]' })
    expect((await recall.put([{ title: 'a' }])).records).toEqual([refusal])
  })

  test('[W2] a record that cannot be cloned does not stop the others', async () => {
    const { engine, calls } = createScriptedEngine((_, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(({ id }) => ({ id, outcome: 'inserted', bodyChanged: true })),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine)
    const uncloneable = { id: 'b', title: 'b', metadata: { run: () => 1 } } as unknown as RecordInput
    const { records } = await recall.put([{ id: 'a', title: 'a' }, uncloneable, { id: 'c', title: 'c' }])
    expect(records.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['a', 'inserted'],
      ['b', 'rejected'],
      ['c', 'inserted'],
    ])
    expect(records[1]).toMatchObject({ code: 'INVALID_RECORD', field: 'metadata' })
    expect(calls).toHaveLength(1)
    await expect(recall.put(uncloneable)).rejects.toMatchObject({ code: 'INVALID_RECORD', field: 'metadata' })
    await expect(recall.recall({ text: (() => 1) as unknown as string })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'text',
    })
  })
})

describe('values that cannot be cloned', () => {
  const throwing = {
    get title(): string {
      throw new Error('mine')
    },
  }
  const deep = { title: 'deep', metadata: {} }
  for (let i = 0, at: Record<string, unknown> = deep.metadata; i < 100_000; i++) at = at['a'] = {}
  const strange: readonly (readonly [string, unknown, string])[] = [
    ['a function', () => 1, 'record'],
    ['a symbol', Symbol('x'), 'record'],
    ['a proxy', new Proxy({ title: 'x' }, {}), 'record'],
    ['a getter that throws', throwing, 'title'],
    ['nesting without end', deep, 'metadata'],
  ]

  test.each(strange)('[W2] %s as a record is refused, with the value and a hint', async (_, record, field) => {
    const { engine, calls } = createScriptedEngine((_verb, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(({ id }) => ({ id, outcome: 'inserted', bodyChanged: true })),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine)
    const { records } = await recall.put([{ id: 'a', title: 'a' }, record as RecordInput, { id: 'c', title: 'c' }])
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'rejected', 'inserted'])
    const refusal = { code: 'INVALID_RECORD', field, value: expect.any(String), hint: expect.stringContaining('plain') }
    expect(records[1]).toMatchObject(refusal)
    expect(calls).toHaveLength(1)
    await expect(recall.put(record as RecordInput)).rejects.toMatchObject(refusal)
  })

  test.each([
    ['a function', () => 1, 'argument'],
    ['a symbol', Symbol('x'), 'argument'],
    ['a getter that throws', throwing, 'title'],
  ] as const)('[E1] %s as a query is refused', async (_, query, field) => {
    const { recall } = await open(createScriptedEngine(never).engine)
    const refusal = { code: 'INVALID_ARGUMENT', field, value: expect.any(String) }
    await expect(recall.recall(query as unknown as string)).rejects.toMatchObject(refusal)
    await expect(recall.list(query as unknown as object)).rejects.toMatchObject(refusal)
  })

  test('[W2] a getter that throws stops neither the other records nor the embedder', async () => {
    const asked: (readonly string[])[] = []
    const embed = async (texts: readonly string[]) => {
      asked.push(texts)
      return texts.map(() => new Float32Array(2))
    }
    const { engine } = createScriptedEngine((_, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(({ id }) => ({ id, outcome: 'inserted', bodyChanged: true })),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine, { embedder: { space: 'mine', dimensions: 2, embed } })
    const late = Object.defineProperty({ title: 'b' }, 'tags', { enumerable: true, get: () => throwing.title })
    const { records } = await recall.put([{ id: 'a', title: 'a' }, throwing, late, { id: 'c', title: 'c' }])
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'rejected', 'rejected', 'inserted'])
    expect(asked.flat().map((text) => text.trim())).toEqual(['a', 'c'])
    await expect(recall.patch('a', throwing)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'title' })
    const query = Object.defineProperty({}, 'text', { enumerable: true, get: () => throwing.title })
    await expect(recall.recall(query)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'text' })
  })

  test('[E1] such a value as an id is refused', async () => {
    const { recall } = await open(createScriptedEngine(never).engine)
    const id = (() => 1) as unknown as string
    const refusedBy = (field: string) => ({ code: 'INVALID_ARGUMENT', field, value: expect.any(String) })
    await expect(recall.get(id)).rejects.toMatchObject(refusedBy('ids'))
    await expect(recall.forget(id)).rejects.toMatchObject(refusedBy('argument'))
    await expect(recall.why('jay', id)).rejects.toMatchObject(refusedBy('id'))
    await expect(recall.setRisks(id, [])).rejects.toMatchObject(refusedBy('id'))
    await expect(recall.link('a', id)).rejects.toMatchObject(refusedBy('b'))
  })

  test('[E1] reflectPrompt ends with its signal and with the store, like any other call', async () => {
    const { recall } = await open(createScriptedEngine(never).engine)
    const request = { query: 'q', hits: [] }
    expect(await recall.reflectPrompt(request)).toHaveLength(2)
    const signal = AbortSignal.abort()
    await expect(recall.reflectPrompt(request, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
    await recall.close()
    await expect(recall.reflectPrompt(request)).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('opening', () => {
  test('[E1] a worker of another release is refused with VERSION_SKEW', async () => {
    const { far, port } = openPort()
    const old = { open: () => replyWith(async () => ({ version: 0 })) }
    expose(old, far)
    await expect(openWorkerLink(port, engineOptionsInWorker, 5_000, noEvents)).rejects.toMatchObject({
      code: 'VERSION_SKEW',
      value: '0',
    })
  })

  test('[E1] a page of another release is refused with VERSION_SKEW, and nothing is opened', async () => {
    const { near, far } = openPort()
    let isOpened = false
    serve(far, async () => {
      isOpened = true
      return createScriptedEngine(() => 1).engine
    })
    const reply = await ask(near, apply('open', [{ version: 99, options: engineOptionsInWorker }]))
    expect(reply).toMatchObject({
      value: { ok: false, error: { code: 'VERSION_SKEW', field: 'version', value: '99' } },
    })
    expect(isOpened).toBe(false)
    near.close()
  })

  test('[E1] a worker that cannot be loaded gives INVALID_CONFIG, one that never answers DEADLINE_EXCEEDED', async () => {
    const { port } = openPort()
    const opening = openWorkerLink(port, engineOptionsInWorker, 5_000, noEvents)
    port.fail('404')
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'assets.worker' })
    await expect(openWorkerLink(openPort().port, engineOptionsInWorker, 20, noEvents)).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    })
  })

  test('[E1] a malformed policy is refused before anything is opened', async () => {
    const { far, port } = openPort()
    serve(far, never)
    const options = { ...engineOptionsInWorker, policy: { name: 'half' } as never }
    await expect(openWorkerLink(port, options, 5_000, noEvents)).rejects.toMatchObject({ code: 'INVALID_POLICY' })
  })
})

test('events are sent only while someone listens', async () => {
  const { engine, emit } = createScriptedEngine(() => 1)
  const { recall } = await open(engine)
  const heard: unknown[] = []
  const stop = recall.subscribe((event) => heard.push(event))
  emit({ type: 'changed', revision: 3, ids: [] })
  await expect.poll(() => heard).toEqual([{ type: 'changed', revision: 3, ids: [] }])
  stop()
  emit({ type: 'changed', revision: 4, ids: [] })
  // After one round trip the event would have arrived.
  await recall.count()
  expect(heard).toHaveLength(1)
})

test('[P2] a fallback event from before anyone listened reaches each later listener', async () => {
  const told = { type: 'storage', backend: 'indexeddb', degraded: ['No opfs storage: x.'] } as const
  const scripted = createScriptedEngine(() => 0)
  const engine = {
    ...scripted.engine,
    subscribe: (listener: (event: EngineEvent) => void) => {
      listener(told)
      return scripted.engine.subscribe(listener)
    },
  }
  const { recall } = await open(engine)
  // After one round trip the event has arrived, without any listener.
  await recall.count()
  for (let i = 0; i < 2; i++) {
    expect(await new Promise((resolve) => recall.subscribe(resolve))).toEqual(told)
  }
})
