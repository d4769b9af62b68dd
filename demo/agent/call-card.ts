/** Shows a tool call with its answer. For `forget`: asks the user first and shows the proof afterwards. */
import type { ForgottenProof, StoredRecord } from 'scrubjay'
import type { JsonObject } from 'scrubjay/tools'
import { proofCounts } from '../shared/delete/proof.ts'
import { counted } from '../shared/format.ts'
import { announce, make } from '../shared/dom.ts'
import { titleOf } from '../shared/title-of.ts'
import type { ToolCall } from './model/agent.ts'

export interface CallCard {
  readonly element: HTMLElement
  /** Resolves to false when the turn is stopped. */
  confirm(records: readonly StoredRecord[], signal: AbortSignal): Promise<boolean>
  answered(answer: JsonObject, proofs: readonly ForgottenProof[]): void
}

export function createCallCard({ name, arguments: args }: ToolCall): CallCard {
  const outcome = make('span', { class: 'quiet' }, '…')
  const block = (label: string, text: string) =>
    make('pre', { class: 'context-block', tabindex: 0, role: 'region', 'aria-label': label }, text)
  const fold = make('details', {}, make('summary', {}, make('code', {}, name), ' ', outcome), block('Arguments', args))
  const element = make('li', { class: 'call', 'data-tool': name }, fold)

  return {
    element,
    confirm: (records, signal) =>
      new Promise((resolve) => {
        const decide = (isMeant: boolean) => {
          question.remove()
          if (isMeant) outcome.textContent = 'can still be undone …'
          resolve(isMeant)
        }
        const question = confirmation(records, decide)
        signal.addEventListener('abort', () => decide(false))
        element.append(question)
        question.querySelector<HTMLElement>('[data-answer=no]')?.focus()
        announce('The agent asks to forget something. Choose “Forget it” or “Keep it”.')
      }),
    answered(answer, proofs) {
      outcome.textContent = inWords(answer, proofs)
      element.dataset['failed'] = String(answer['error'] !== undefined)
      fold.append(block('Answer', JSON.stringify(answer, null, 2)), ...proofs.map(proofList))
    },
  }
}

function confirmation(records: readonly StoredRecord[], decide: (isMeant: boolean) => void): HTMLElement {
  return make(
    'div',
    { class: 'confirmation', role: 'group', 'aria-label': 'Forget for good?' },
    make('p', {}, make('strong', {}, `Forget ${counted(records.length, 'record')} for good?`)),
    make('ul', {}, ...records.map((record) => make('li', {}, `“${titleOf(record)}”`))),
    make(
      'p',
      { class: 'buttons' },
      make('button', { type: 'button', class: 'danger', 'data-answer': 'yes', click: () => decide(true) }, 'Forget it'),
      make('button', { type: 'button', 'data-answer': 'no', click: () => decide(false) }, 'Keep it'),
    ),
  )
}

function proofList(proof: ForgottenProof): HTMLElement {
  return make(
    'div',
    { class: 'proof', 'data-clean': proof.clean },
    make('p', {}, make('strong', {}, proof.clean ? 'Searched everywhere: nothing is left.' : 'Traces remain.')),
    proofCounts(proof),
  )
}

/** Puts the answer into one line. */
function inWords(answer: JsonObject, proofs: readonly ForgottenProof[]): string {
  const { error, outcome, evidence, records, forgotten, place, selected } = answer as {
    readonly error?: { readonly message: string }
    readonly outcome?: string
    readonly evidence?: string
    readonly records?: readonly unknown[]
    readonly forgotten?: readonly string[]
    readonly place?: number | null
    readonly selected?: boolean
  }
  if (error !== undefined) return error.message
  if (forgotten !== undefined) {
    const isClean = proofs.length > 0 && proofs.every(({ clean }) => clean)
    return `${counted(forgotten.length, 'record')} forgotten${isClean ? ', deletion verified' : ''}`
  }
  if (records !== undefined) return `${counted(records.length, 'record')}, evidence ${evidence}`
  if (selected !== undefined) return selected ? `at place ${place}` : 'not in the answer'
  return outcome ?? 'done'
}
