/** Lists the calls of tools, the newest first: who called, with which arguments, and what was answered. */
import type { JsonObject } from 'scrubjay/tools'
import { announce, make, partById } from '../shared/dom.ts'
import { counted } from '../shared/format.ts'
import type { ToolCall } from './agent-interface.ts'

const mostCalls = 50

/** Returns the answer in one line. */
export function logCall({ name, args, isByHand, answer, ms }: ToolCall): string {
  const block = (label: string, value: unknown) =>
    make(
      'pre',
      { class: 'context-block', tabindex: 0, role: 'region', 'aria-label': `${label} of ${name}` },
      JSON.stringify(value, null, 2),
    )
  const caller = isByHand ? 'you' : 'an agent'
  const outcome = outcomeOf(answer)
  const list = partById('calls')
  for (const fold of list.querySelectorAll('details')) fold.open = false
  list.prepend(
    make(
      'li',
      { class: 'call', 'data-tool': name, 'data-caller': caller, 'data-failed': String(answer['error'] !== undefined) },
      make('p', {}, make('code', {}, name), ` by ${caller}, ${ms.toFixed(0)} ms`),
      make('p', { class: 'outcome-words' }, outcome),
      make(
        'details',
        { open: true },
        make('summary', {}, 'Arguments and answer'),
        block('Arguments', args),
        block('Answer', answer),
      ),
    ),
  )
  while (list.children.length > mostCalls) list.lastElementChild?.remove()
  partById('no-calls').hidden = true
  announce(`${name}: ${outcome}`)
  return outcome
}

/** Puts an answer into one line. */
function outcomeOf(answer: JsonObject): string {
  const { error, outcome, evidence, records, forgotten, selected, place, ids, tokens } = answer as {
    readonly error?: { readonly message: string; readonly hint?: string }
    readonly outcome?: string
    readonly evidence?: string
    readonly records?: readonly unknown[]
    readonly forgotten?: readonly string[]
    readonly selected?: boolean
    readonly place?: number | null
    readonly ids?: readonly string[]
    readonly tokens?: number
  }
  if (error !== undefined) return error.message
  if (forgotten !== undefined) return `${counted(forgotten.length, 'record')} forgotten`
  if (records !== undefined) return `${counted(records.length, 'record')}, evidence ${evidence}`
  if (selected !== undefined) return selected ? `at place ${place}` : 'not in the answer'
  if (ids !== undefined) return `${counted(ids.length, 'record')}, ${counted(tokens ?? 0, 'token')}`
  return outcome ?? 'done'
}
