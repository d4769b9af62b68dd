/**
 * A file without a folder is known by its name alone. If a file of that name is here with another text, it may be a newer
 * version or a stranger: only a person knows, so nothing is overwritten before one has said so.
 */
import { announce, make } from '../parts.ts'

export type SameName = 'update' | 'both' | 'skip'

export function askAboutNames(place: HTMLElement, names: readonly string[]): Promise<SameName> {
  const [first = ''] = names
  const isOne = names.length === 1
  const sentence = isOne
    ? `“${first}” is already here with other text.`
    : `${names.length} of these files are already here with other text: ${names.join(', ')}.`
  return new Promise((resolve) => {
    const choice = (answer: SameName, text: string) =>
      make('button', { type: 'button', class: 'small', 'data-same-name': answer, click: () => resolve(answer) }, text)
    const buttons = make(
      'p',
      { class: 'buttons' },
      choice('update', isOne ? 'Update it' : 'Update them'),
      choice('both', 'Keep both'),
      choice('skip', 'Skip'),
    )
    place.replaceChildren(make('div', { class: 'same-names' }, make('p', {}, sentence), buttons))
    announce(sentence)
  })
}
