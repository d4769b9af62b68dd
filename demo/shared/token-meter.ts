/** Shows how much of the token budget a context uses, as a bar and in words. */
import type { AssemblyMetadata } from 'scrubjay'
import { wholeNumber } from './format.ts'
import { make } from './dom.ts'

export interface TokenMeter {
  readonly element: HTMLElement
  show(metadata: AssemblyMetadata, maxTokens: number): void
}

export function createTokenMeter(): TokenMeter {
  const length = make('span', { class: 'length' })
  const bar = make(
    'div',
    {
      class: 'track',
      role: 'meter',
      'aria-label': 'Tokens used of the budget',
      'aria-valuemin': 0,
      'aria-valuenow': 0,
    },
    length,
  )
  const words = make('p', { class: 'figure' })
  const element = make('div', { class: 'token-meter' }, bar, words)

  return {
    element,
    show({ tokenCount, overflow }, maxTokens) {
      const text = `${wholeNumber(tokenCount)} of ${wholeNumber(maxTokens)} tokens`
      words.replaceChildren(overflow ? `${text}: over budget, because the first record is always included` : text)
      element.dataset['over'] = String(overflow)
      length.style.inlineSize = `${Math.min(100, (100 * tokenCount) / maxTokens)}%`
      bar.setAttribute('aria-valuemax', String(maxTokens))
      bar.setAttribute('aria-valuenow', String(Math.min(tokenCount, maxTokens)))
      bar.setAttribute('aria-valuetext', words.textContent ?? text)
    },
  }
}
