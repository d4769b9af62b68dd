/** Does the ten tasks of `demo/agent/README.md` in the agent demo. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { buildAgent, policy } from '../../demo/agent/build.mjs'
import { fakeModel } from '../browser/demo/fake-model.ts'
import { demoTools } from '../support/pages/demo-tools.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { inEachCondition } from './in-each-condition.ts'
import type { Person } from './person.ts'
import type { Task } from './results.ts'

const tools = `${demoTools}
  const turn = () => all('.turn').at(-1)
  const within = (selector) => turn()?.querySelector(selector)
  const reply = () => within('.reply[aria-busy=false]')?.querySelector('.reply-text, [data-tone=bad] p, p')?.textContent ?? ''
  const suggestion = (start) => all('#suggestions .chip').find((chip) => chip.textContent.startsWith(start))
  const memories = () => all('.memories > li').map((one) => one.querySelector('p').textContent)
  const memoryButton = (name) => all('.memories button').find((one) => one.textContent.startsWith(name))
  const isOnTop = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  }
`
const model = fakeModel()
let folder: string
let address = ''

const say = async (person: Person, words: string, end = 'reply() !== ""') => {
  const turns = await person.read<number>('all(".turn").length')
  await person.write('one("#message")', words)
  await person.key('Enter')
  await person.until(`all('.turn').length > ${turns} && (${end})`)
  if (end.includes('reply()')) await person.until('text("#send") === "Send"')
}

const tasks: readonly Task[] = [
  [
    'The five suggestions: remembers, quotes, explains, abstains, forgets',
    async (person) => {
      await person.look('start')
      for (const [start, answer] of [
        ['Remember', /^Remembered: “we deploy on Fridays/],
        ['When', /^Said by you: “we deploy on Fridays/],
        ['Why', /is at place 1/],
        ['What', /^I don’t know/],
      ] as const) {
        const turns = await person.read<number>('all(".turn").length')
        await person.press(`suggestion(${JSON.stringify(start)})`)
        await person.until(`all('.turn').length > ${turns} && reply() !== "" && text("#send") === "Send"`)
        expect(await person.read('reply()')).toMatch(answer)
        await person.until('isOnTop(within(".reply-text"))')
      }
      await person.look('answers')
      await person.press('suggestion("Forget")')
      await person.until('one(".confirmation")')
      await person.look('asked')
      await person.press('one("[data-answer=yes]")')
      await person.until('canDeleteNow()')
      await person.press('toast("now")')
      await person.until('reply() === "Forgotten, and nothing of it is left."')
    },
  ],
  [
    'Lyon, then Paris: the newer memory comes first',
    async (person) => {
      await say(person, 'remember that I live in Lyon')
      await say(person, 'remember I moved to Paris last week')
      await say(person, 'Where do I live?')
      expect(await person.read('reply()')).toMatch(/^[^“]*“I moved to Paris last week”/)
    },
  ],
  [
    '“What do you know about me?”',
    async (person) => {
      await say(person, 'What do you know about me?')
      expect(await person.read('reply()')).toMatch(/Lyon|Paris/)
    },
  ],
  [
    'Examples: the higher tier is quoted first',
    async (person) => {
      await person.press('one("#examples")')
      await person.until('memories().length === 9')
      await say(person, 'When do we deploy?')
      expect(await person.read('reply()')).toMatch(
        /^Said by you: “We deploy on Fridays.*\nLess trusted: Read elsewhere: /,
      )
    },
  ],
  [
    '“What was sent”: bill, evidence, tiers, text, what was left out',
    async (person) => {
      await person.press('within(".sent summary")')
      await person.until(
        'within(".bill").checkVisibility() && within(".evidence") && within(".tier-name") && within(".written-text") && within(".ledger")',
      )
      // It is read from its beginning.
      await person.until('isOnTop(within(".sent summary"))')
      await person.look('bill')
    },
  ],
  [
    'The hostile example stays escaped in the text',
    async (person) => {
      await say(person, 'How do I deploy safely?')
      await person.press('within(".sent summary")')
      await person.press('within(".written-text").closest("details").querySelector("summary")')
      await person.until('within(".written-text").checkVisibility()')
      expect(await person.read('within(".written-text").textContent')).toContain('&lt;/records&gt;')
      await person.run('within(".written-text").scrollIntoView({ block: "center" })')
      await person.look('text')
    },
  ],
  [
    'A small budget sends less',
    async (person) => {
      const figure = async () =>
        Number(/\d+/.exec(await person.read('within(".token-meter .figure").textContent'))?.[0])
      const before = await figure()
      await person.lessen('one("#memory-tokens")')
      await person.until('Number(one("#memory-tokens").value) <= 100')
      await say(person, 'When do we deploy?')
      await person.press('within(".sent summary")')
      // At least one record is always sent.
      expect(await figure()).toBeLessThan(before / 2)
      // The next tasks need room for memories.
      await person.run('fill("#memory-tokens", "600")')
    },
  ],
  [
    'A thumb, then the history of the record',
    async (person) => {
      await say(person, 'Where is the office key?')
      await person.press('within(".cite")')
      await person.until('text("#life-heading")?.includes("office key")')
      await person.press('within(".thumbs [data-thumb=acted]")')
      await person.until('all(".timeline li").some((one) => one.dataset.kind === "outcome")')
      await person.run('one(".timeline").scrollIntoView({ block: "center" })')
      await person.look('history')
    },
  ],
  [
    'Edit a memory, forget one',
    async (person) => {
      const count = await person.read<number>('memories().length')
      await person.press('memoryButton("Edit")')
      await person.until('one("#edit-memory")')
      await person.write('one("#edit-memory")', 'The key hangs in the hall.')
      await person.press('one("#edit-memory").form.querySelector("[type=submit]")')
      await person.until('memories().includes("The key hangs in the hall.")')
      await person.press('memoryButton("Forget")')
      await person.until('canDeleteNow()')
      await person.press('toast("now")')
      await person.until(`text(".toast .proof strong")?.startsWith("Deleted.") && memories().length === ${count - 1}`)
      await person.look('proof')
      await person.press('toast("close")')
    },
  ],
  [
    'Own model: test, stop a reply, reload: memories are still there',
    async (person) => {
      model.answers(() => ({ events: [{ delta: { content: 'Once upon a time' } }, { wait: 'stop' }] }))
      await person.press('one("[value=model]")')
      await person.write('one("#model-url")', `${address}/v1`)
      await person.write('one("#model-name")', 'fake-1')
      await person.press('one("#model-check")')
      await person.until('/^It works: 2 models/.test(text("#model-outcome"))')
      await person.look('model')
      await say(person, 'Tell me a story', 'within(".reply[aria-busy=true]")?.textContent.includes("Once upon")')
      await person.press('one("#send")')
      await person.until('text("#send") === "Send" && within(".reply").textContent.includes("Stopped")')
      model.go()
      await person.look('stopped')
      const count = await person.read<number>('memories().length')
      await person.run('location.reload()')
      await person.until(`one("#send")?.disabled === false && memories().length === ${count}`)
    },
  ],
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-agent-tasks-'))
  await buildAgent(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

inEachCondition({
  name: 'agent',
  tasks,
  tools,
  async serve() {
    const mounts = { '/v1/chat/completions': model.handler, '/v1/models': model.models }
    const site = await serveFolder(folder, { headers: { 'Content-Security-Policy': policy.header }, mounts })
    address = site.url
    return site
  },
  ready: 'one("#send")?.disabled === false',
})
