/** Starts the WebMCP page: opens a store in memory, exposes its tools, and lets the user call them as an agent does. */
import { openRecall, type Recall } from 'scrubjay'
import { exposeTools, type ToolName, toolNames } from 'scrubjay/tools'
import { copyButton } from '../shared/copy-button.ts'
import { make, partById } from '../shared/dom.ts'
import { counted } from '../shared/format.ts'
import { explainError } from '../shared/notice.ts'
import { oneAtATime } from '../shared/one-at-a-time.ts'
import { openAgentInterface, type ToolCall } from './agent-interface.ts'
import { logCall } from './call-log.ts'
import { createToolCard, type ToolCard } from './tool-card.ts'

const examples = [
  { title: 'Deploys', text: 'We deploy on Fridays, after the migration of the database.', tags: ['team'] },
  { title: 'Bike', text: 'The chain of the red bike was replaced in March.', tags: ['home'] },
  { title: 'Coffee', text: 'Mira takes her coffee without sugar.', tags: ['home', 'Mira'] },
]

const flag = 'chrome://flags/#enable-webmcp-testing'

void start()

async function start(): Promise<void> {
  try {
    await run(await openRecall({ name: 'webmcp', storage: 'memory' }))
  } catch (error) {
    explainError('The page could not start.', error)
  }
}

async function run(recall: Recall): Promise<void> {
  // An agent may be talked into forgetting by a hostile text, so the user exposes this tool.
  const offered = new Set<ToolName>(toolNames.filter((name) => name !== 'forget'))
  const agent = openAgentInterface((call: ToolCall) => {
    const outcome = logCall(call)
    if (call.isByHand) cards.get(call.name)?.say(outcome)
    void showRecords()
  })
  const cards = new Map<string, ToolCard>(
    toolNames.map((name) => [name, createToolCard(name, { expose, call: (args) => void call(name, args) })]),
  )
  partById('tools').append(...[...cards.values()].map(({ element }) => element))
  partById('support').append(support(agent.isOfBrowser))

  let unregister = () => {}
  const register = oneAtATime(async () => {
    unregister()
    try {
      unregister = await exposeTools(recall, agent.modelContext, {
        offered: toolNames.filter((name) => offered.has(name)),
      })
    } catch (error) {
      explainError('The browser did not take the tools.', error)
    }
    const listed = await agent.tools()
    for (const [name, card] of cards) card.show(listed.find((tool) => tool.name === name))
    const count = toolNames.filter((name) => listed.some((tool) => tool.name === name)).length
    partById('tools-heading').textContent = `${count} of ${toolNames.length} tools exposed`
  })

  function expose(name: ToolName, isExposed: boolean): void {
    if (isExposed) offered.add(name)
    else offered.delete(name)
    void register()
  }

  async function call(name: ToolName, args: object): Promise<void> {
    try {
      const tool = (await agent.tools()).find((one) => one.name === name)
      if (tool === undefined) throw new Error(`${name} is not exposed.`)
      await agent.call(tool, args)
    } catch (error) {
      explainError(`The call of ${name} failed.`, error)
    }
  }

  async function showRecords(): Promise<void> {
    const { records } = await recall.status()
    partById('store-brief').textContent = `${counted(records, 'record')} · in memory only`
  }

  const button = partById('examples', HTMLButtonElement)
  button.addEventListener('click', async () => {
    for (const example of examples) await call('remember', example)
  })
  await Promise.all([register(), showRecords()])
  button.disabled = false
}

function support(isOfBrowser: boolean): HTMLElement {
  if (isOfBrowser) {
    return make(
      'p',
      { class: 'notice', 'data-webmcp': 'yes' },
      make('strong', {}, 'This browser has WebMCP. '),
      'Its agent, if it has one, finds the tools. Your calls go through the same interface, document.modelContext.',
    )
  }
  return make(
    'div',
    { class: 'notice notice-warning', 'data-webmcp': 'no' },
    make(
      'p',
      {},
      make('strong', {}, 'This browser has no WebMCP, '),
      'so no agent finds the tools. You can call them: a stand-in passes your calls on.',
    ),
    make(
      'p',
      {},
      'To switch WebMCP on in Chromium (tested with 156), open ',
      make('code', {}, flag),
      ', choose “Enabled” and restart. Or start Chromium with ',
      make('code', {}, '--enable-features=WebMCP'),
      '. Then reload this page.',
    ),
    make(
      'p',
      {},
      copyButton('Copies the address of the setting', () => flag, 'Copy the address'),
    ),
  )
}
