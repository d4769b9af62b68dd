/**
 * Shows above the hits what answers the question: a sentence and its note, or that nothing does. The place has one height while a question is
 * there, so that no answer moves the list.
 */
import type { Hit } from 'scrubjay'
import { make } from '../../shared/dom.ts'
import { titleOf } from '../../shared/title-of.ts'
import { noteHref } from '../address/route.ts'
import { answeringSentence } from '../model/answer-line.ts'

export interface Verdict {
  /** An answer to an older question must not stay. `keepsNone`: that nothing answers stays until the next answer, so that it does not blink. */
  clear(keepsNone?: boolean): void
  /** The hit very likely answers. Returns the sentence. */
  strong(hit: Hit): string
  weak(): void
  none(more?: string): void
}

export function createVerdict(place: HTMLElement): Verdict {
  let shown = ''
  return {
    clear: (keepsNone = false) => (keepsNone && shown.startsWith('none') ? undefined : show('')),
    strong(hit) {
      const title = titleOf(hit.record)
      const sentence = answeringSentence(hit)
      const link = make('a', { href: noteHref(hit.id), 'data-id': hit.id }, title)
      const text = make('span', { class: 'answer-text' }, sentence ?? 'This note very likely answers it:')
      show(`${hit.id} ${title} ${sentence}`, make('p', { class: 'evidence answer-line' }, text, link))
      return `${sentence ?? ''} ${title}`.trim()
    },
    weak: () => show('weak', make('p', { class: 'quiet answer-line' }, 'No note surely answers this.')),
    none(more = '') {
      const text = make('span', { class: 'answer-text' }, make('strong', {}, 'Nothing here answers this.'), more)
      show(`none ${more}`, make('p', { class: 'evidence answer-line', 'data-strength': 'none' }, text))
    },
  }

  function show(next: string, ...content: readonly HTMLElement[]): void {
    if (next === shown) return
    shown = next
    place.replaceChildren(...content)
  }
}
