/**
 * Asks what to do with files whose names are already stored with another text. Such a file may be a newer version or an
 * unrelated file; only the user knows, so nothing is overwritten without an answer.
 */
import { announce, make } from '../../shared/dom.ts'

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
