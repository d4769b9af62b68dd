/** [H5] [E3] Tests the ready extractors with models that a script plays: the contract, what is asked, and answers of every wrong kind. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Extract } from '../../../src/client/api/recall.ts'
import { aiSdkExtract, type BuiltInModel, builtInExtract, openAiExtract } from '../../../src/extract/index.ts'
import { extractorContract, runContract } from '../../../src/testing/index.ts'

const answer = JSON.stringify({
  facts: [{ text: 'Ada lives in Lisbon.', from: [1], date: '2026-03-01', confidence: 0.9 }],
})
const turns = [
  { id: 's/1', role: 'user', name: 'Ada', text: 'I moved to Lisbon.', createdAt: Date.UTC(2026, 3, 1) },
  { id: 's/2', role: 'assistant', name: null, text: 'Noted.', createdAt: Date.UTC(2026, 3, 1) },
] as const
const context = { known: [{ id: 'k', text: 'Ada is a pilot.' }], signal: new AbortController().signal }
const lisbon = { text: 'Ada lives in Lisbon.', from: ['s/1'], occurredAt: Date.UTC(2026, 2, 1), confidence: 0.9 }

let server: Server
let reply: { status: number; body: string | Buffer }
let asked: { headers: Record<string, unknown>; body: { readonly messages: readonly { readonly content: string }[] } }
let url: string
const chat = (content: unknown) => ({ status: 200, body: JSON.stringify({ choices: [{ message: { content } }] }) })

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += String(part)
    asked = { headers: request.headers, body: JSON.parse(text) }
    response.writeHead(reply.status, { location: '/elsewhere' }).end(reply.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`
})
afterAll(() => server.close())

const ofServer = () => openAiExtract({ url, model: 'm', key: () => 'secret' })

function ofSdk(): Extract {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: 'text', text: answer }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    }),
  })
  return aiSdkExtract({ generateText, model })
}

function builtIn(
  state = 'available',
  text = answer,
): { readonly model: BuiltInModel; readonly destroyed: () => number } {
  let ended = 0
  return {
    destroyed: () => ended,
    model: {
      availability: async () => state,
      create: async ({ signal }) => {
        signal.throwIfAborted()
        return { prompt: async () => text, destroy: () => ended++ }
      },
    },
  }
}

describe('[H5] openAiExtract', () => {
  runContract(test, extractorContract, () => {
    reply = chat(answer)
    return ofServer()
  })

  test('asks with numbered turns and what is known, and names the turns by their ids', async () => {
    reply = chat(`Here they are:\n\`\`\`json\n${answer}\n\`\`\``)
    expect(await ofServer()(turns, context)).toEqual([lisbon])
    expect(asked.headers['authorization']).toBe('Bearer secret')
    expect(asked.body).toMatchObject({ model: 'm', response_format: { type: 'json_schema' } })
    const content = asked.body.messages[1]?.content
    expect(content).toContain('"turn":1,"day":"2026-04-01","speaker":"Ada","text":"I moved to Lisbon."')
    expect(content).toContain('Ada is a pilot.')
  })

  test.each([
    ['a refusal', { status: 401, body: 'secret' }, 'INVALID_CONFIG'],
    ['a redirect', { status: 307, body: '' }, 'INVALID_CONFIG'],
    ['more than 1 MiB', { status: 200, body: Buffer.alloc(2 ** 20 + 1) }, 'INVALID_CONFIG'],
    ['no JSON', { status: 200, body: '<html>' }, 'INVALID_ARGUMENT'],
    ['no choices', { status: 200, body: '{}' }, 'INVALID_ARGUMENT'],
    ['an answer without facts', chat('I found none.'), 'INVALID_ARGUMENT'],
    ['facts of another form', chat('{"facts":"none"}'), 'INVALID_ARGUMENT'],
  ])('rejects %s with a typed error that quotes nothing', async (_, given, code) => {
    reply = given
    const error = await ofServer()(turns, context).catch((one: unknown) => one)
    expect(error).toMatchObject({ code })
    expect(String(error)).not.toContain('secret')
  })

  test.each([
    [{ url: 'ftp://host', model: 'm' }, 'extract.url'],
    [{ url: 'https://me:secret@host', model: 'm' }, 'extract.url'],
    [{ url: 'https://host', model: ' ' }, 'extract.model'],
  ])('refuses %j', (options, field) => {
    expect(() => openAiExtract(options)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
  })
})

describe('[H5] aiSdkExtract', () => {
  runContract(test, extractorContract, ofSdk)

  test('reads what a model of the SDK answers', async () => {
    expect(await ofSdk()(turns, context)).toEqual([lisbon])
  })
})

describe('[H5] builtInExtract', () => {
  runContract(test, extractorContract, () => builtInExtract({ languageModel: builtIn().model }))

  test('reads what the browser’s model answers, and frees it, also after a wrong answer', async () => {
    const [good, bad] = [builtIn(), builtIn('available', 'no')]
    expect(await builtInExtract({ languageModel: good.model })(turns, context)).toEqual([lisbon])
    await expect(builtInExtract({ languageModel: bad.model })(turns, context)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
    expect([good.destroyed(), bad.destroyed()]).toEqual([1, 1])
  })

  test.each(['unavailable', 'downloadable', 'downloading'])('rejects while the model is %s', async (state) => {
    await expect(builtInExtract({ languageModel: builtIn(state).model })(turns, context)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'extract.languageModel',
    })
  })

  test('rejects where the browser has no model', async () => {
    await expect(builtInExtract()(turns, context)).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
  })
})

test('control: an extractor that names unknown turns, changes its turns, or works once, breaks the contract', async () => {
  const wrong: Record<string, () => Extract> = {
    stored: () => async () => [{ ...lisbon, from: ['elsewhere'] }],
    unchanged: () => async (given) => {
      ;(given[0] as { text: string }).text = 'changed'
      return []
    },
    settles:
      () =>
      async (_, { signal }) =>
        signal.aborted ? [] : Promise.reject(new Error('no')),
  }
  for (const [promise, create] of Object.entries(wrong)) {
    const held = extractorContract.find(({ name }) => name.includes(promise))
    await expect(held!.run(create)).rejects.toThrow()
  }
})
