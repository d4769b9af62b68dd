/** Shows a tool: what it does, whether it is exposed, and a form that calls it, made from its schema. */
import { type ArgumentSchema, type ToolName, toolDefinitions } from 'scrubjay/tools'
import { make } from '../shared/dom.ts'
import type { ListedTool } from './agent-interface.ts'

export interface ToolCardActions {
  expose(name: ToolName, isExposed: boolean): void
  call(args: object): void
}

export interface ToolCard {
  readonly element: HTMLElement
  /** `listed` is what the browser lists under this name, if it does. */
  show(listed: ListedTool | undefined): void
  /** Shows what the last call by hand answered. */
  say(outcome: string): void
}

const effects: Readonly<Record<ToolName, readonly [string, string]>> = {
  remember: ['stores a record', 'warn'],
  recall: ['only reads', 'good'],
  about: ['only reads', 'good'],
  why: ['only reads', 'good'],
  forget: ['deletes for good', 'bad'],
  assemble: ['only reads', 'good'],
}

export function createToolCard(name: ToolName, actions: ToolCardActions): ToolCard {
  const { description, parameters } = toolDefinitions[name]
  const fields = Object.entries(parameters.properties).map(([field, schema]) => ({
    field,
    schema,
    ...createField(`${name}-${field}`, field, schema, parameters.required.includes(field)),
  }))
  const exposed = make('input', {
    type: 'checkbox',
    change: () => actions.expose(name, exposed.checked),
  })
  const [words, tone] = effects[name]
  const send = (event: Event) => {
    event.preventDefault()
    const given = fields.filter(({ control }) => control.value.trim() !== '')
    const args = given.map(({ field, schema, control }) => [field, valueOf(schema, control.value)])
    actions.call(Object.fromEntries(args))
  }
  const outcome = make('span', { class: 'quiet' })
  const form = make(
    'form',
    { class: 'tool-form', submit: send },
    ...fields.map(({ element }) => element),
    make('p', { class: 'sending' }, make('button', { type: 'submit' }, `Call ${name}`), outcome),
  )
  const fold = make('details', {}, make('summary', {}, 'Call it by hand'), form)
  const element = make(
    'li',
    { class: 'panel tool', 'data-tool': name },
    make(
      'div',
      { class: 'tool-head' },
      make('h3', {}, make('code', {}, name)),
      make('span', { class: 'badge', 'data-tone': tone }, words),
      make('label', { class: 'exposure' }, exposed, `Expose ${name}`),
    ),
    make('p', { class: 'quiet' }, description),
    fold,
  )
  return {
    element,
    show(listed) {
      exposed.checked = listed !== undefined
      element.dataset['exposed'] = String(exposed.checked)
      fold.hidden = !exposed.checked
    },
    say: (words) => outcome.replaceChildren(`${words} `, make('a', { href: '#calls-heading' }, 'See the call')),
  }
}

function createField(id: string, name: string, schema: ArgumentSchema, isRequired: boolean) {
  const isLong = schema.type === 'string' && (schema.maxLength ?? 0) > 5000
  const control = isLong
    ? make('textarea', { id, rows: 2, required: isRequired, 'aria-describedby': `${id}-about` })
    : make('input', {
        id,
        required: isRequired,
        autocomplete: 'off',
        'aria-describedby': `${id}-about`,
        ...(schema.type === 'integer' || schema.type === 'number'
          ? { type: 'number', min: schema.minimum, max: schema.maximum, step: schema.type === 'integer' ? 1 : 'any' }
          : { type: 'text' }),
      })
  const about = [schema.description ?? '', schema.type === 'array' ? 'Separate several with commas.' : '']
  const element = make(
    'p',
    { class: 'field' },
    make('label', { for: id }, make('code', {}, name), isRequired ? ' (required)' : ''),
    control,
    make('span', { class: 'quiet', id: `${id}-about` }, about.join(' ').trim()),
  )
  return { element, control }
}

function valueOf(schema: ArgumentSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Number(text)
  if (schema.type !== 'array') return text
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}
