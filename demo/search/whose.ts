/** Lets the user ask the sample or their own records, with radio buttons. */
import type { Scope } from 'scrubjay'
import { make, partById } from '../shared/dom.ts'

export type Whose = 'sample' | 'yours'

export interface WhoseSwitch {
  scope(): Scope
  whose(): Whose
  choose(whose: Whose): void
}

const names: Readonly<Record<Whose, string>> = { sample: 'Sample', yours: 'Yours' }

export function createWhoseSwitch(changed: () => void): WhoseSwitch {
  let chosen: Whose = 'sample'
  const choices = Object.entries(names).flatMap(([whose, name]) => [
    make('input', {
      type: 'radio',
      class: 'hidden',
      name: 'whose',
      id: `whose-${whose}`,
      checked: whose === chosen,
      change: () => choose(whose as Whose),
    }),
    make('label', { class: 'button chip', for: `whose-${whose}` }, name),
  ])
  partById('whose').append(
    make('div', { class: 'policy-choices', role: 'radiogroup', 'aria-label': 'Records to ask' }, ...choices),
  )
  return {
    scope: () => ({ tags: { [chosen === 'sample' ? 'any' : 'none']: ['sample'] } }),
    whose: () => chosen,
    choose,
  }

  function choose(whose: Whose): void {
    chosen = whose
    partById(`whose-${whose}`, HTMLInputElement).checked = true
    partById('query', HTMLInputElement).placeholder = whose === 'sample' ? 'Ask Mira’s year' : 'Ask your own notes'
    changed()
  }
}
