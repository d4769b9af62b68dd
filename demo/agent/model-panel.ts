/**
 * Lets the user choose the agent and the token budget. Address and key of a model are read when a message is sent, and are
 * never stored. The fields are outside any form, so that browsers do not offer to save the key.
 */
import { counted } from '../shared/format.ts'
import { hidden, make, partById } from '../shared/parts.ts'
import type { Agent } from './agent.ts'
import { modelAgent } from './model-agent.ts'
import { scriptedAgent } from './scripted-agent.ts'

export interface ModelPanel {
  /** The agent that answers the next message. Throws an error with a hint if the settings are wrong. */
  agent(): Agent
  /** Token budget of the recalled records. */
  maxTokens(): number
}

const tokens = { min: 50, max: 2000, start: 600, step: 50 }

export function createModelPanel(): ModelPanel {
  const scripted = choice('scripted', 'Built-in script, offline', true)
  const model = choice('model', 'Your own model', false)
  const url = field('model-url', 'Address', {
    type: 'url',
    placeholder: 'https://…/v1/chat/completions',
    spellcheck: 'false',
  })
  const name = field('model-name', 'Model', { type: 'text', placeholder: 'model name', spellcheck: 'false' })
  const key = field('model-key', 'Key', { type: 'password', autocomplete: 'new-password' })
  const settings = make(
    'div',
    { class: 'settings', hidden: true },
    url.line,
    name.line,
    key.line,
    make(
      'p',
      { class: 'quiet' },
      'Any endpoint with OpenAI’s chat completions API that allows requests from pages (CORS). It receives your messages and the memories recalled for them. The key stays in this page’s memory.',
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
  const choices = make('fieldset', { class: 'choices' }, make('legend', {}, hidden('Who answers')), scripted, model)
  choices.addEventListener('change', () => (settings.hidden = !isModel()))
  partById('model').append(
    choices,
    settings,
    make(
      'p',
      { class: 'budget budget-field' },
      make('label', { for: 'memory-tokens' }, 'For memories'),
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
