/** Checks the endpoint in front of Comlink: it refuses messages that are not calls of a method that engines have. */
import { expose } from 'comlink'
import { describe, expect, test } from 'vitest'
import { filterEndpoint } from '../../../worker/rpc/filter-endpoint.ts'
import { serve } from '../../../worker/rpc/serve.ts'
import { createScriptedEngine, openPort } from '../../support/scripted-engine.ts'
import { apply, ask, open, raw } from './open-bound-client.ts'

describe('the filtered endpoint', () => {
  const hostile = [
    ['SET __proto__', { type: 'SET', path: ['__proto__', 'polluted'], value: raw('yes') }],
    ['SET constructor.prototype', { type: 'SET', path: ['constructor', 'prototype', 'polluted'], value: raw('yes') }],
    ['SET of a method', { type: 'SET', path: ['call'], value: raw('yes') }],
    ['GET', { type: 'GET', path: ['call'] }],
    ['GET without a path', { type: 'GET' }],
    ['a deep path', { type: 'APPLY', path: ['call', 'constructor'], argumentList: [raw('return 1')] }],
    ['no path', { type: 'APPLY', path: [], argumentList: [] }],
    ['a path that only looks like a list', { type: 'APPLY', path: { 0: 'call', length: 1 }, argumentList: [] }],
    ['an inherited method', { type: 'APPLY', path: ['__defineGetter__'], argumentList: [raw('polluted'), raw(1)] }],
    ['an unknown method', { type: 'APPLY', path: ['eval'], argumentList: [raw('1')] }],
    ['a list in place of a name', { type: 'APPLY', path: [['call']], argumentList: [] }],
    ['CONSTRUCT', { type: 'CONSTRUCT', path: ['call'], argumentList: [] }],
    ['ENDPOINT', { type: 'ENDPOINT' }],
    [
      'arguments that handlers revive',
      {
        type: 'APPLY',
        path: ['call'],
        argumentList: [{ type: 'HANDLER', name: 'throw', value: { isError: false, value: 1 } }],
      },
    ],
    ['no arguments list', { type: 'APPLY', path: ['call'] }],
    ['an unknown type', { type: 'EVAL', path: ['call'] }],
  ] as const

  test.each(hostile)('refuses %s', async (_, message) => {
    const { near, far } = openPort()
    const { engine, calls } = createScriptedEngine(() => 1)
    serve(far, async () => engine)
    const reply = await ask(near, message)
    expect(reply).toMatchObject({ type: 'HANDLER', name: 'throw', value: { value: { name: 'TypeError' } } })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(calls).toEqual([])
    near.close()
  })

  test('control: Comlink alone is polluted by the same message', async () => {
    const { near, far } = openPort()
    expose({ call: () => 1 }, far)
    try {
      await ask(near, hostile[0][1])
      expect(({} as { polluted?: unknown }).polluted).toBe('yes')
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted')
    }
    near.close()
  })

  test('passes calls and RELEASE, and ignores messages that are not Comlink’s', async () => {
    const { near, far } = openPort()
    let isEnded = false
    far.addEventListener('close', () => {
      isEnded = true
    })
    expose({ add: (a: number, b: number) => a + b }, filterEndpoint(far, ['add']))
    near.postMessage(null)
    near.postMessage('text')
    near.postMessage({ id: 5, type: 'GET' })
    expect(await ask(near, apply('add', [2, 3]))).toMatchObject({ type: 'RAW', value: 5 })
    expect(await ask(near, { type: 'RELEASE' })).toMatchObject({ type: 'RAW' })
    near.postMessage({ id: 'late', ...apply('add', [2, 3]) })
    near.close()
    expect(isEnded).toBe(false)
  })

  test('refuses methods that no engine has', async () => {
    const { engine, calls } = createScriptedEngine(() => 1)
    const { link } = await open(engine)
    const request = { id: 'r', method: 'constructor' as never, request: {}, context: { now: 0 }, deadlineMs: 1_000 }
    expect(await link.call(request)).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENT', field: 'method' } })
    expect(calls).toEqual([])
  })
})
