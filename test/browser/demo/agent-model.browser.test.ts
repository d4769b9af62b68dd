/** Tests the agent demo with a model, in Chromium: it calls an endpoint of OpenAI's shape, errors and streams included. */
import { beforeEach, describe, expect, test } from 'vitest'
import { availableBrowsers } from '../../support/browsers/browsers.ts'
import { useAgent } from './agent-page.ts'
import { fakeModel, toolCall } from './fake-model.ts'

const endpoint = fakeModel()

describe.runIf(availableBrowsers().includes('chromium'))('the agent', () => {
  const agent = useAgent({ '/v1/chat/completions': endpoint.handler, '/v1/models': endpoint.models })
  const { addExamples, read, run, say, started, waitFor } = agent

  describe('with a model', () => {
    beforeEach(async () => {
      endpoint.reset()
      await run(
        `one('[value=model]').click(); fill('#model-url', args[0]); fill('#model-name', 'fake-1'); one('#model-name').dispatchEvent(new Event('change')); fill('#model-key', 'sk-secret')`,
        `${agent.url()}/v1/chat/completions`,
      )
    })

    test('sends rules, tiers, records and tools, carries out its calls, and shows what it counted', async () => {
      await addExamples()
      endpoint.answers(
        () => toolCall('recall', { query: 'office key', limit: 1 }),
        ({ messages }) => {
          const [{ id }] = JSON.parse(messages.at(-1)?.content ?? '{}').records as [{ id: string }]
          return { content: `Behind the calendar [${id}].`, promptTokens: 1234 }
        },
      )
      await say('Where is the office key?')
      expect(await read('calls()')).toEqual(['recall'])
      expect(await read('reply()')).toBe('Behind the calendar 1.')
      expect((await read<Record<string, number>>('bill()'))['Counted by the model']).toBe(1234)
      expect((await read<Record<string, number>>('bill()'))['Calls and answers']).toBeGreaterThan(20)
      const [first, second] = endpoint.requests
      expect(first).toMatchObject({ authorization: 'Bearer sk-secret', model: 'fake-1' })
      expect(first?.tools.map((tool) => tool.function.name)).toEqual(['remember', 'recall', 'about', 'why', 'forget'])
      expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
      expect(first?.messages[1]?.content).toContain('\nSaid by you\n- ')
      expect(first?.messages.at(-1)?.content).toBe('Where is the office key?')
      expect(second?.messages.slice(3).map(({ role }) => role)).toEqual(['assistant', 'tool'])
    })

    test("marks the model's own words as its own, and asks before it forgets", async () => {
      endpoint.answers(
        () => toolCall('remember', { text: 'User deploys weekly.' }),
        () => ({ content: 'Noted.' }),
        () => toolCall('drop_everything', {}),
        ({ messages }) => ({ content: messages.at(-1)?.content ?? '' }),
      )
      await say('We deploy every week.')
      await waitFor('memories().length === 1')
      expect(await read('memories()')).toEqual([['noted', 'User deploys weekly.']])
      await say('Tidy up.')
      expect(await read('reply()')).toContain('name must be a known tool, got "drop_everything"')
      expect(await read('memories().length')).toBe(1)
    })

    test.each([
      [
        'a refusal',
        401,
        { error: { message: 'Incorrect API key provided.' } },
        'The model answered 401: Incorrect API key provided.',
        1,
      ],
      ['no JSON', 200, '<html>', "The model's answer has no message: <html>", 0],
      ['no choice', 200, { choices: [] }, 'The model\'s answer has no message: {"choices":[]}', 0],
    ])('shows %s, and offers to try again', async (_, status, body, message, complaints) => {
      agent.expectErrors(complaints)
      endpoint.answers(
        () => ({ status, body }),
        () => ({ content: 'Now it works.' }),
      )
      await say('Hello?', 'within(".reply[data-tone=bad]")')
      expect(await read('within(".reply").textContent')).toBe(`No answer. ${message}`)
      expect(await read('[one("#message").value, text("#send")]')).toEqual(['Hello?', 'Send'])
      await say('Hello?')
      expect(await read('reply()')).toBe('Now it works.')
      // The failed turn is not sent to the model.
      expect(endpoint.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    })

    test.each([
      ['ftp://127.0.0.1/v1', 'The address of the model must begin with https://, or with http://localhost.'],
      ['http://example.test/v1', 'The address of the model must begin with https://, or with http://localhost.'],
      ['v1/chat', 'The address of the model must be a URL. Give all of it, with https://.'],
    ])('refuses the address %s', async (url, message) => {
      await run(`fill('#model-url', args[0])`, url)
      await say('Hello?', 'within(".reply[data-tone=bad]")')
      expect(await read('within(".reply").textContent')).toBe(`No answer. ${message}`)
      expect(endpoint.requests).toEqual([])
    })

    test('stores the key nowhere', async () => {
      endpoint.answers(() => ({ content: 'Hello.' }))
      await say('Hello?')
      const kept = await read<string>(
        `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, (await indexedDB.databases()).map(({ name }) => name), await caches.keys()])`,
      )
      expect(kept).not.toContain('sk-secret')
      await agent.page().reload()
      await started()
      // Choice, address and name are kept.
      expect(await read('[one("#model-key").value, one("[value=model]").checked, one("#model-name").value]')).toEqual([
        '',
        true,
        'fake-1',
      ])
    })

    test('shows a streamed reply while it is written, as Markdown, and takes calls in parts', async () => {
      await run(`fill('#model-url', args[0])`, `${agent.url()}/`)
      endpoint.answers(
        ({ stream, stream_options: options }) => ({
          status: stream && options !== undefined ? 400 : 500,
          body: { error: { message: 'Unknown field: stream_options' } },
        }),
        () => ({
          events: [
            { delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'remember', arguments: '{"text": ' } }] } },
            { delta: { tool_calls: [{ index: 0, function: { arguments: '"Ada likes tea."}' } }] } },
          ],
        }),
        () => ({
          events: [
            { delta: { content: '**Ada** likes' } },
            { wait: 'more' },
            { delta: { content: ' tea.\n\n- one\n- two' } },
          ],
        }),
      )
      agent.expectErrors(1)
      await run(`say('Note that Ada likes tea.')`)
      await waitFor('within(".reply[aria-busy=true] strong")?.textContent === "Ada"')
      expect(await read('calls()')).toEqual(['remember'])
      endpoint.go()
      await waitFor('within(".reply[aria-busy=false]")')
      expect(await read('within(".reply-text").innerText.split("\\n").filter(Boolean)')).toEqual([
        'Ada likes tea.',
        'one',
        'two',
      ])
      expect(await read('memories()')).toEqual([['noted', 'Ada likes tea.']])
    })

    test('tests the connection, and offers the names of the models', async () => {
      await run(`fill('#model-url', args[0]); one('#model-check').click()`, `${agent.url()}/v1`)
      await waitFor('/^It works: 2 models/.test(text("#model-outcome"))')
      expect(await read('all("#model-names option").map(({ value }) => value)')).toEqual(['fake-1', 'fake-2'])
    })
  })
})
