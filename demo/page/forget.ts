/** Forgets one record, after asking once more on the same button, and shows the engine's proof that nothing is left. */
import type { ForgottenProof, Hit, Recall } from 'scrubjay'
import { wholeNumber } from './format.ts'
import { explainError } from './notice.ts'
import { announce, make } from './parts.ts'

const questionMs = 4000

/** Until when a record's first press holds, by `performance.now()`: an answer drawn anew does not forget it. */
const askedUntil = new Map<string, number>()

/** `done` receives what to show in the hit's place; `what` is its name on the button. */
export function forgetControl(
  recall: Pick<Recall, 'forget' | 'verifyForgotten'>,
  { id }: Pick<Hit, 'id'>,
  done: (proof: HTMLElement) => void,
  what = 'record',
): HTMLElement {
  const question = `Forget this ${what}`
  const button = make('button', { type: 'button', class: 'danger' }, question)
  button.addEventListener('click', () => {
    if (leftMs() > 0) return void forget()
    askedUntil.set(id, performance.now() + questionMs)
    askBack()
  })
  if (leftMs() > 0) askBack()
  return make('p', { class: 'buttons' }, button)

  function leftMs(): number {
    return (askedUntil.get(id) ?? 0) - performance.now()
  }

  function askBack(): void {
    button.textContent = 'Really forget? There is no way back'
    setTimeout(() => {
      askedUntil.delete(id)
      button.textContent = question
    }, leftMs())
  }

  async function forget(): Promise<void> {
    button.disabled = true
    try {
      await recall.forget(id)
      const proof = await recall.verifyForgotten(id)
      announce(proof.clean ? 'Forgotten. Nothing of it is left.' : 'Forgotten, but something of it is left.')
      done(proofCard(id, proof))
    } catch (error) {
      explainError(`The ${what} could not be forgotten.`, error)
      button.disabled = false
    }
  }
}

function proofCard(id: string, { clean, ...counts }: ForgottenProof): HTMLElement {
  const rows = Object.entries(counts).flatMap(([name, count]) => [
    make('dt', {}, name),
    make('dd', {}, wholeNumber(count)),
  ])
  return make(
    'div',
    { class: 'proof', tabindex: -1, 'data-clean': clean },
    make('p', {}, make('strong', {}, clean ? 'Forgotten, and proven gone.' : 'Forgotten, but traces are left.')),
    make('p', { class: 'quiet id' }, id),
    make('dl', { class: 'proof-counts' }, ...rows),
  )
}
