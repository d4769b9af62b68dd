/** What a context may be: its tokens, its places, those kept for what is due, and the format it is written in. */
import type { ContextFormat } from 'scrubjay'
import { counted } from '../../shared/format.ts'
import { make } from '../../shared/parts.ts'

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
const places: Span = { min: 1, max: 50, start: 6, step: 1 }
const kept: Span = { min: 0, max: 10, start: 1, step: 1 }

const formats: readonly ContextFormat[] = ['structured', 'xml', 'natural', 'content', 'recall']

/** `changed` is called with every step of the slider too. */
export function createBudget(changed: () => void): Budget {
  const maxTokens = numberField('range', 'max-tokens', tokens)
  const maxItems = numberField('number', 'max-items', places)
  const reserved = numberField('number', 'reserve-proactive', kept)
  const format = make(
    'select',
    { id: 'context-format' },
    ...formats.map((name) => make('option', { value: name, selected: name === 'content' }, name)),
  )
  const said = make('output', { for: 'max-tokens' })
  const form = make(
    'form',
    { class: 'budget' },
    field('Budget', maxTokens, said),
    field('Items', maxItems),
    field('Reserved for due records', reserved),
    field('Format', format),
  )
  say()
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', () => {
    say()
    changed()
  })

  return {
    form,
    limits: () => ({
      maxTokens: within(tokens, maxTokens),
      maxItems: within(places, maxItems),
      reserveProactive: within(kept, reserved),
      format: formats.find((name) => name === format.value) ?? 'content',
    }),
  }

  function say(): void {
    const text = counted(within(tokens, maxTokens), 'token')
    said.textContent = text
    maxTokens.setAttribute('aria-valuetext', text)
  }
}

function numberField(type: 'range' | 'number', id: string, { min, max, start, step }: Span): HTMLInputElement {
  return make('input', { type, id, min, max, step, value: start })
}

function field(name: string, control: HTMLElement, said: HTMLElement | null = null): HTMLElement {
  return make('p', { class: 'budget-field' }, make('label', { for: control.id }, name), control, said)
}

/** A field that is empty or out of bounds while someone types counts as the nearest number that is allowed. */
function within({ min, max, start }: Span, { valueAsNumber }: HTMLInputElement): number {
  return Number.isNaN(valueAsNumber) ? start : Math.min(max, Math.max(min, Math.round(valueAsNumber)))
}
