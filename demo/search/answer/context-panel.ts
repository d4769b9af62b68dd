/** Shows the authority block of the answer, exactly as a model would get it. */
import type { RecallResult } from 'scrubjay'
import { estimateTokens } from 'scrubjay/core'
import { copyButton } from '../../shared/copy-button.ts'
import { counted } from '../../shared/format.ts'
import { make, partById } from '../../shared/parts.ts'

export interface ContextPanel {
  show(result: RecallResult): void
}

export function createContextPanel(): ContextPanel {
  const block = make('pre', {
    class: 'context-block',
    tabindex: 0,
    role: 'region',
    'aria-labelledby': 'context-heading',
  })
  const size = make('span', { class: 'quiet' })
  const line = make('p', { class: 'context-size' }, size)
  partById('context').append(
    line,
    block,
    make('p', { class: 'quiet' }, 'With a token budget: ', make('a', { href: '#assemble' }, 'assemble a context')),
  )

  return {
    show({ authorityContext }) {
      const text = authorityContext ?? ''
      block.textContent = text
      size.textContent = `About ${counted(estimateTokens(text), 'token')}. Texts are escaped, so no record can forge a heading.`
      line.replaceChildren(
        size,
        copyButton('Copy the block', () => text),
      )
    },
  }
}
