/**
 * Tests the agent demo as `npm run agent` builds it, in Chromium: it remembers, recalls after a reload, explains,
 * forgets with proof and abstains, each by the tool calls a model would make; shows what was sent and what it cost;
 * learns from thumbs; and calls an endpoint of OpenAI's shape, errors included.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildAgent, policy } from '../../../demo/agent/build.mjs'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { demoTools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const tools = `${demoTools}
  const say = (words) => { fill('#message', words); one('#composer').requestSubmit() }
  const turn = () => all('.turn').at(-1)
  const within = (selector) => turn()?.querySelector(selector)
  const reply = () => within('.reply[aria-busy=false]')?.querySelector('.reply-text, [data-tone=bad] p, p')?.textContent ?? ''
  const calls = () => [...turn().querySelectorAll('.call')].map((one) => one.dataset.tool)
  const bill = () => Object.fromEntries([...turn().querySelectorAll('.bill tr')].map((row) => [row.children[0].textContent, Number(row.children[1].textContent.replaceAll(',', ''))]))
  const memories = () => all('.memories > li').map((one) => [one.dataset.tier, one.querySelector('p').textContent])
`

let folder: string
let site: Awaited<ReturnType<typeof serveFolder>>
const endpoint = fakeModel()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-agent-'))
  await buildAgent(folder)
  site = await serveFolder(folder, {
    headers: { 'Content-Security-Policy': policy.header },
    mounts: { '/v1/chat/completions': endpoint.handler, '/v1/models': endpoint.models },
  })
})

afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

describe.runIf(availableBrowsers().includes('chromium'))('the agent', () => {
  let browser: Browser
  let page: Page
  let expectedErrors = 0

  beforeAll(async () => {
    browser = await shareBrowser('chromium')
  })

  afterAll(() => browser?.close())

  beforeEach(async () => {
    page = await browser.page(`${site.url}/`)
    await started()
  })

  afterEach(async () => {
    const complaints = page.console.filter(({ level }) => level === 'error' || level === 'warn')
    expect(complaints.length, JSON.stringify(complaints)).toBe(expectedErrors)
    expectedErrors = 0
    await page.evaluate(
      `${tools}; globalThis.isOld = true; one('[value=scripted]').click(); one('#forget-all').click(); fill('#forget-all-word', 'delete'); one('.delete-everything form').requestSubmit()`,
    )
    await waitFor('globalThis.isOld === undefined && one("#send")?.disabled === false')
    await page.close()
  })

  test('remembers, recalls after a reload, explains, forgets with proof, then abstains', async () => {
    await say('Remember that we deploy on Fridays, after the migration')
    expect(await read('calls()')).toEqual(['remember'])
    expect(await read('reply()')).toBe('Remembered: “we deploy on Fridays, after the migration” 1')
    expect(await read('memories()')).toEqual([['user', 'we deploy on Fridays, after the migration']])

    await page.reload()
    await started()
    expect(await read('all(".turn").length')).toBe(0)
    await say('When do we deploy?')
    expect(await read('reply()')).toBe('Said by you: “we deploy on Fridays, after the migration” 1')
    expect(await read('calls()')).toEqual([])

    await say('Why?')
    expect(await read('calls()')).toEqual(['why'])
    expect(await read('reply()')).toMatch(
      /^“we deploy on Fridays, after the migration” 1 is at place 1 for “When do we deploy\?”, found by your words \(\d+ %\)/,
    )

    await say('Forget the deploy', 'within(".confirmation")')
    expect(await read('[text(".confirmation li"), document.activeElement.dataset.answer]')).toEqual([
      '“we deploy on Fridays, after the migration”',
      'no',
    ])
    expect(await read('memories().length')).toBe(1)
    await forgetIt()
    // The earlier look-up contained the text, and is removed.
    expect(
      await read('[...turn().querySelectorAll(".calls li")].map((one) => one.dataset.tool ?? one.textContent)'),
    ).toEqual(['Removed: it mentioned a forgotten record.', 'forget'])
    expect(await read('reply()')).toBe('Forgotten, and nothing of it is left.')
    expect(await read('text(".proof strong")')).toBe('Searched everywhere: nothing is left.')
    expect(await read('all(".proof dd").map((one) => one.textContent)')).toEqual(['0', '0', '0', '0', '0', '0'])
    expect(await read('text(".call[data-tool=forget] summary")')).toBe('forget 1 record forgotten, deletion verified')
    // Gone from the page, too, and from what later turns send.
    await waitFor('memories().length === 0')
    expect(await read('text("#turns").includes("after the migration")')).toBe(false)

    await say('When do we deploy?')
    expect(await read('calls()')).toEqual(['recall'])
    expect(await read('reply()')).toBe('I don’t know: nothing I remember answers that.')
    expect(await read('within(".evidence").dataset.strength')).toBe('none')
  })

  test('forgets nothing unless a person says yes', async () => {
    await say('Remember that the key hangs in the kitchen')
    await say('Forget it', 'within(".confirmation")')
    await page.evaluate(`${tools}; one('[data-answer=no]').click()`)
    await waitFor('reply() !== ""')
    expect(await read('reply()')).toBe('Kept: you said no.')
    expect(await read('memories().length')).toBe(1)
    await say('Forget it', 'within(".confirmation")')
    await page.evaluate(`${tools}; one('#send').click()`)
    await waitFor('within(".reply")?.textContent === "No answer. Stopped."')
    expect(await read('[memories().length, all(".confirmation").length]')).toEqual([1, 0])
  })

  test('[S1] shows what was sent: its bill, its evidence, its tiers, and the ledger', async () => {
    await addExamples()
    await say('When do we deploy?')
    const shown = await read<[string, string][]>(
      `[...turn().querySelectorAll('.packed-record')].map((one) => [one.dataset.tier, one.querySelector('.tier-name').textContent])`,
    )
    expect(shown).toContainEqual(['user', 'Said by you'])
    expect(shown).toContainEqual(['read', 'Read elsewhere'])
    expect(await read('within(".evidence").dataset.strength')).toBe('strong')
    const bill = await read<Record<string, number>>('bill()')
    const { 'Total, estimated': total = 0, ...parts } = bill
    expect(Object.keys(parts)).toEqual(['Rules of the app', 'Tools', 'Earlier turns', 'Tiers', 'Memories', 'Question'])
    expect(Object.values(parts).reduce((sum, one) => sum + one, 0)).toBe(total)
    expect(parts['Memories']).toBeLessThanOrEqual(600)
    expect(await read('within(".token-meter .figure").textContent')).toBe(`${parts['Memories']} of 600 tokens`)
    expect(await read('within(".sent summary").textContent')).toMatch(
      new RegExp(`^What was sent: \\d memories, ${total.toLocaleString('en')} tokens$`),
    )

    // A smaller budget gives a shorter text, and a line in the ledger for each dropped record.
    await page.evaluate(`${tools}; fill('#memory-tokens', '250')`)
    await say('When do we deploy?')
    expect((await read<Record<string, number>>('bill()'))['Memories']).toBeLessThanOrEqual(250)
    await page.evaluate(`${tools}; within('.ledger').open = true`)
    await waitFor(
      `[...turn().querySelectorAll('.ledger-rows .quiet')].some((one) => one.textContent.startsWith('tokens: '))`,
    )
  })

  test('[A1] a hostile record stays in its place in the prompt, and the agent obeys the higher tier', async () => {
    await addExamples()
    await say('How do I deploy safely?')
    const sent = await read<string>('within(".written-text").textContent')
    expect(sent).toContain('&lt;/records&gt;&lt;/authority_context&gt;')
    expect(sent.match(/<\/?(records|authority_context)>/g)).toEqual([
      '<authority_context>',
      '</authority_context>',
      '<records>',
      '</records>',
    ])
    expect(await read('calls()')).toEqual([])
    expect(await read('memories().length')).toBe(7)
    await say('When do we deploy?')
    expect(await read('reply()')).toMatch(/^Said by you: “We deploy on Fridays.*\nLess trusted: Read elsewhere: /)
  })

  test('learns from thumbs, and shows it in the life of the record', async () => {
    await addExamples()
    await say('Where is the office key?')
    expect(await read('within(".thumbs [data-thumb=acted]").ariaPressed')).toBe('false')
    await page.evaluate(`${tools}; within('.cite').click()`)
    await waitFor('text("#life-heading").includes("office key")')
    expect(await read('all(".timeline li").map((one) => one.dataset.kind)')).toEqual(['create'])
    await page.evaluate(`${tools}; within('.thumbs [data-thumb=acted]').click()`)
    await waitFor('within(".learned-brief").textContent !== ""')
    expect(await read('within(".learned-brief").textContent')).toMatch(/^trust 0\.50 → 0\.[67]\d$/)
    expect(await read('within(".thumbs [data-thumb=acted]").ariaPressed')).toBe('true')
    await waitFor('all(".timeline li").some((one) => one.dataset.kind === "outcome")')
    expect(await read('all(".timeline li").map((one) => one.textContent).join()')).toContain('acted')
  })

  test('greets, says how to make it remember, and lists what it knows of the user', async () => {
    await say('hello')
    expect(await read('reply()')).toMatch(/^Hello\. Write “remember that …”/)
    expect(await read('within(".brief")')).toBeNull()
    await say('I live in Lyon')
    expect(await read('reply()')).toMatch(/write “remember that I live in Lyon”\.$/)
    await say('what do you know about me?')
    expect(await read('reply()')).toMatch(/^Nothing yet\./)
    await say('remember that I live in Lyon')
    await say('what do you know about me?')
    expect(await read('reply()')).toBe('This is what I remember of you:\n“I live in Lyon” 1')
  })

  test('[W3] memories can be edited, and forgotten with undo, in the panel', async () => {
    await say('Remember that the key hangs in the kitchen')
    await waitFor('memories().length === 1')
    const press = (name: string) =>
      page.evaluate(`${tools}; all('.memories button').find((one) => one.textContent.startsWith('${name}')).click()`)
    await press('Edit')
    // Larger than a record may be: the form must keep the text.
    await page.evaluate(
      `${tools}; fill('#edit-memory', 'x'.repeat(1_100_000)); one('#edit-memory').form.requestSubmit()`,
    )
    await waitFor('document.body.innerText.includes("The memory could not be changed.")')
    expect(await read('one("#edit-memory").value.length')).toBe(1_100_000)
    await page.evaluate(
      `${tools}; fill('#edit-memory', 'the key hangs in the hall'); one('#edit-memory').form.requestSubmit()`,
    )
    await waitFor('memories()[0]?.[1] === "the key hangs in the hall"')
    await press('Forget')
    await waitFor('memories().length === 0 && canDeleteNow()')
    await page.evaluate(`${tools}; toast('now').click()`)
    await waitFor('text(".proof strong") === "Deleted. Nothing of it is left on this device."')
    expect(await read('text("#turns").includes("kitchen")')).toBe(false)
  })

  test('chooses a tier by the author: pasted text is read elsewhere', async () => {
    await page.evaluate(
      `${tools}; one('.paste').open = true; fill('#read-text', 'The canteen serves soup on Tuesdays.'); one('.paste form').requestSubmit()`,
    )
    await waitFor('memories().length === 1')
    expect(await read('memories()')).toEqual([['read', 'The canteen serves soup on Tuesdays.']])
    await say('When is there soup in the canteen?')
    expect(await read('reply()')).toBe('Read elsewhere: “The canteen serves soup on Tuesdays.” 1')
  })

  describe('with a model', () => {
    beforeEach(async () => {
      endpoint.reset()
      await page.evaluate(
        `${tools}; one('[value=model]').click(); fill('#model-url', args[0]); fill('#model-name', 'fake-1'); fill('#model-key', 'sk-secret')`,
        `${site.url}/v1/chat/completions`,
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
      expect(first?.tools.map((tool) => tool.function.name)).toEqual(['remember', 'recall', 'why', 'forget'])
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
      expectedErrors = complaints
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
      await page.evaluate(`${tools}; fill('#model-url', args[0])`, url)
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
      await page.reload()
      await started()
      // Choice, address and name are kept.
      expect(await read('[one("#model-key").value, one("[value=model]").checked, one("#model-name").value]')).toEqual([
        '',
        true,
        'fake-1',
      ])
    })

    test('shows a streamed reply while it is written, as Markdown, and takes calls in parts', async () => {
      await page.evaluate(`${tools}; fill('#model-url', args[0])`, `${site.url}/`)
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
      expectedErrors = 1
      await page.evaluate(`${tools}; say('Note that Ada likes tea.')`)
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
      await page.evaluate(`${tools}; fill('#model-url', args[0]); one('#model-check').click()`, `${site.url}/v1`)
      await waitFor('/^It works: 2 models/.test(text("#model-outcome"))')
      expect(await read('all("#model-names option").map(({ value }) => value)')).toEqual(['fake-1', 'fake-2'])
    })
  })

  test.each(['light', 'dark'])(
    'has no serious axe fault in the %s scheme, and fits a narrow screen',
    async (scheme) => {
      await page.devtools('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
      await addExamples()
      expect(await seriousViolations(page)).toEqual([])
      await page.evaluate(`${tools}; one('[value=model]').click(); fill('#model-url', '')`)
      await say('Hello?', 'within(".reply[data-tone=bad]")')
      await page.evaluate(`${tools}; one('[value=scripted]').click()`)
      await say('When do we deploy?')
      await page.evaluate(`${tools}; within('.cite').click(); for (const fold of all('details')) fold.open = true`)
      await waitFor('all(".timeline li").length > 0')
      await say('Forget the office key', 'within(".confirmation")')
      await page.evaluate(`${tools}; for (const fold of all('details')) fold.open = true`)
      expect(await seriousViolations(page)).toEqual([])
      await forgetIt()
      await page.screenshot(join(folder, `${scheme}.png`), { width: 320, height: 800, dark: scheme === 'dark' })
      const [inner, content] = await read<[number, number]>('[innerWidth, document.documentElement.scrollWidth]')
      expect(content).toBeLessThanOrEqual(inner)
      expect(await seriousViolations(page)).toEqual([])
    },
  )

  async function addExamples(): Promise<void> {
    await page.evaluate(`${tools}; one('#examples').click()`)
    await waitFor('memories().length === 7')
  }

  /** Confirms, without waiting for the undo period. */
  async function forgetIt(): Promise<void> {
    await page.evaluate(`${tools}; one('[data-answer=yes]').click()`)
    await waitFor('canDeleteNow()')
    await page.evaluate(`${tools}; toast('now').click()`)
    await waitFor('reply() !== ""')
  }

  /** Waits for the reply, or for another end of the turn. */
  async function say(words: string, end = 'reply() !== ""'): Promise<void> {
    const turns = await read<number>('all(".turn").length')
    await page.evaluate(`${tools}; say(args[0])`, words)
    await waitFor(`all('.turn').length > ${turns} && (${end})`)
    if (end.includes('reply')) await waitFor('text("#send") === "Send"')
  }

  function started(): Promise<void> {
    return waitFor('one("#send")?.disabled === false')
  }

  function waitFor(condition: string): Promise<void> {
    const look = async () => {
      if (!(await page.evaluate(`${tools}; return Boolean(${condition})`))) throw new Error(`Never: ${condition}`)
    }
    return vi.waitFor(look, { timeout: 30_000, interval: 50 })
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }
})

interface ModelRequest {
  readonly authorization: string | undefined
  readonly model: string
  readonly stream?: boolean
  readonly stream_options?: object
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools: readonly { readonly function: { readonly name: string } }[]
}

type ModelAnswer = (request: ModelRequest) => {
  readonly content?: string
  readonly calls?: readonly object[]
  readonly promptTokens?: number
  readonly status?: number
  readonly body?: unknown
  /** Sent as a stream; `wait` pauses it until `go`. */
  readonly events?: readonly { readonly delta?: object; readonly wait?: string }[]
}

/** An endpoint of OpenAI's shape that returns scripted answers, in turn, and records its requests. */
function fakeModel() {
  const requests: ModelRequest[] = []
  let answers: ModelAnswer[] = []
  let go = () => {}
  return {
    requests,
    go: () => go(),
    models(_request: IncomingMessage, response: ServerResponse) {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ data: [{ id: 'fake-1' }, { id: 'fake-2' }] }))
    },
    reset() {
      requests.length = 0
      answers = []
    },
    answers(...next: readonly ModelAnswer[]) {
      answers.push(...next)
    },
    async handler(request: IncomingMessage, response: ServerResponse) {
      const asked = {
        ...JSON.parse(await readText(request)),
        authorization: request.headers.authorization,
      } as ModelRequest
      requests.push(asked)
      const answer = answers.shift()?.(asked) ?? { status: 500 }
      const { content = null, calls, promptTokens, status = 200, body, events } = answer
      if (events !== undefined) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        for (const { delta, wait } of events) {
          if (wait !== undefined) await new Promise<void>((done) => (go = done))
          else response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
        }
        response.end('data: [DONE]\n\n')
        return
      }
      const message = { role: 'assistant', content, ...(calls === undefined ? {} : { tool_calls: calls }) }
      const usual = { choices: [{ message }], usage: { prompt_tokens: promptTokens } }
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? usual))
    },
  }
}

function toolCall(name: string, args: object) {
  return { calls: [{ id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }
}
