/** Lets the user set the limits of a context: tokens, items, items reserved for due records, and format. */
import type { ContextFormat } from 'scrubjay'
import { counted } from '../../shared/format.ts'
import { make } from '../../shared/dom.ts'

export interface Limits {
  readonly maxTokens: number
  readonly maxItems: number
  readonly reserveProactive: number
  readonly format: ContextFormat
}

export interface Budget {
  readonly form: HTMLElement
  limits(): Limits
}

interface Span {
  readonly min: number
  readonly max: number
  readonly start: number
  readonly step: number
}

const tokens: Span = { min: 50, max: 4000, start: 2000, step: 50 }
const items: Span = { min: 1, max: 50, start: 6, step: 1 }
const reservable: Span = { min: 0, max: 10, start: 1, step: 1 }

const formats: readonly ContextFormat[] = ['structured', 'xml', 'natural', 'content', 'recall']

/** `changed` is called at every change, also at each step of the slider. */
export function createBudget(changed: () => void): Budget {
  const maxTokens = numberField('range', 'max-tokens', tokens)
  const maxItems = numberField('number', 'max-items', items)
  const reserved = numberField('number', 'reserve-proactive', reservable)
  const format = make(
    'select',
    { id: 'context-format' },
    ...formats.map((name) => make('option', { value: name, selected: name === 'content' }, name)),
  )
  const output = make('output', { for: 'max-tokens' })
  const form = make(
    'form',
    { class: 'budget' },
    field('Budget', maxTokens, output),
    field('Items', maxItems),
    field('Reserved for due records', reserved),
    field('Format', format),
  )
  showTokens()
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', () => {
    showTokens()
    changed()
  })

  return {
    form,
    limits: () => ({
      maxTokens: within(tokens, maxTokens),
      maxItems: within(items, maxItems),
      reserveProactive: within(reservable, reserved),
      format: formats.find((name) => name === format.value) ?? 'content',
    }),
  }

  function showTokens(): void {
    const text = counted(within(tokens, maxTokens), 'token')
    output.textContent = text
    maxTokens.setAttribute('aria-valuetext', text)
  }
}

function numberField(type: 'range' | 'number', id: string, { min, max, start, step }: Span): HTMLInputElement {
  return make('input', { type, id, min, max, step, value: start })
}

function field(name: string, control: HTMLElement, output: HTMLElement | null = null): HTMLElement {
  return make('p', { class: 'budget-field' }, make('label', { for: control.id }, name), control, output)
}

/** The value of a field, limited to its span; the default while the field is empty. */
function within({ min, max, start }: Span, { valueAsNumber }: HTMLInputElement): number {
  return Number.isNaN(valueAsNumber) ? start : Math.min(max, Math.max(min, Math.round(valueAsNumber)))
}
