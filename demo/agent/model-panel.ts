/**
 * Lets the user choose the agent and the token budget. Choice, address and name of a model are kept in local storage; its key
 * is never stored. The fields are outside any form, so that browsers do not offer to save the key.
 */

import { hidden, make, partById } from '../shared/dom.ts'
import { counted } from '../shared/format.ts'
import { messageOf } from '../shared/notice.ts'
import type { Agent } from './model/agent.ts'
import { modelAgent, modelNames } from './model/model-agent.ts'
import { scriptedAgent } from './scripted-agent.ts'

export interface ModelPanel {
  /** The agent that answers the next message. Throws an error with a hint if the settings are wrong. */
  agent(): Agent
  /** Token budget of the recalled records. */
  maxTokens(): number
}

/** Addresses of servers that people run or rent. */
const servers = {
  'http://localhost:11434/v1': 'Ollama',
  'http://localhost:1234/v1': 'LM Studio',
  'https://openrouter.ai/api/v1': 'OpenRouter',
  'https://api.openai.com/v1': 'OpenAI',
}

const tokens = { min: 50, max: 2000, start: 600, step: 50 }

export function createModelPanel(): ModelPanel {
  const kept = readKept()
  const scripted = choice('scripted', 'Built-in script, no model', !kept.isModel)
  const model = choice('model', 'Your own model', kept.isModel)
  const url = field('model-url', 'Address', {
    type: 'url',
    placeholder: 'http://localhost:11434/v1',
    spellcheck: 'false',
    list: 'model-servers',
    value: kept.url,
  })
  const name = field('model-name', 'Model', {
    type: 'text',
    placeholder: 'as the server calls it',
    spellcheck: 'false',
    list: 'model-names',
    value: kept.name,
  })
  const key = field('model-key', 'Key', { type: 'password', autocomplete: 'new-password' })
  const names = make('datalist', { id: 'model-names' })
  const outcome = make('p', { class: 'quiet', id: 'model-outcome', role: 'status' })
  const check = make('button', { type: 'button', class: 'small', id: 'model-check' }, 'Test the connection')
  const settings = make(
    'div',
    { class: 'settings', hidden: !kept.isModel },
    url.line,
    name.line,
    key.line,
    make(
      'datalist',
      { id: 'model-servers' },
      ...Object.entries(servers).map(([value, label]) => make('option', { value }, label)),
    ),
    names,
    make('p', { class: 'buttons' }, check),
    outcome,
    make(
      'p',
      { class: 'quiet' },
      'Any server with OpenAI’s API that allows requests from pages (CORS), for example Ollama or LM Studio on this computer. It receives your messages and the memories recalled for them. The key is not stored.',
    ),
  )
  const budget = make('input', {
    type: 'range',
    id: 'memory-tokens',
    min: tokens.min,
    max: tokens.max,
    step: tokens.step,
    value: tokens.start,
  })
  const output = make('output', { for: 'memory-tokens' })
  const showTokens = () => {
    const text = counted(budget.valueAsNumber, 'token')
    output.textContent = text
    budget.setAttribute('aria-valuetext', text)
  }
  showTokens()
  budget.addEventListener('input', showTokens)
  const choices = make('fieldset', { class: 'choices' }, make('legend', {}, hidden('Model')), scripted, model)
  choices.addEventListener('change', () => (settings.hidden = !isModel()))
  for (const part of [choices, url.input, name.input])
    part.addEventListener('change', () =>
      keep({ isModel: isModel(), url: url.input.value.trim(), name: name.input.value.trim() }),
    )
  check.addEventListener('click', () => void test())
  partById('model').append(
    choices,
    settings,
    make(
      'p',
      { class: 'budget budget-field' },
      make('label', { for: 'memory-tokens' }, 'Memory budget'),
      budget,
      output,
    ),
  )

  return {
    agent: () =>
      isModel()
        ? modelAgent({ url: url.input.value.trim(), model: name.input.value, key: key.input.value.trim() })
        : scriptedAgent,
    maxTokens: () => budget.valueAsNumber,
  }

  async function test(): Promise<void> {
    outcome.textContent = 'Asking the server …'
    try {
      const found = await modelNames(url.input.value.trim(), key.input.value.trim())
      names.replaceChildren(...found.map((value) => make('option', { value })))
      outcome.textContent = `It works: ${counted(found.length, 'model')}. Choose one under “Model”.`
    } catch (error) {
      outcome.textContent = messageOf(error)
    }
  }

  function isModel(): boolean {
    return model.querySelector('input')?.checked === true
  }
}

function choice(value: string, name: string, isChosen: boolean): HTMLLabelElement {
  return make('label', {}, make('input', { type: 'radio', name: 'model', value, checked: isChosen }), name)
}

function field(id: string, name: string, attributes: Readonly<Record<string, string>>) {
  const input = make('input', { id, autocomplete: 'off', ...attributes })
  return { input, line: make('p', {}, make('label', { for: id }, name), input) }
}

interface Kept {
  readonly isModel: boolean
  readonly url: string
  readonly name: string
}

const keptKey = 'scrubjay-agent-model'

function readKept(): Kept {
  try {
    return { isModel: false, url: '', name: '', ...JSON.parse(localStorage.getItem(keptKey) ?? '{}') }
  } catch {
    return { isModel: false, url: '', name: '' }
  }
}

/** Local storage may be blocked: then the next visit starts with the script. */
function keep(kept: Kept): void {
  try {
    localStorage.setItem(keptKey, JSON.stringify(kept))
  } catch {}
}
