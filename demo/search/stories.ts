/** Asks the questions of the three cards. A card may also ask why one record is missing from its answer. */
import { partById } from '../shared/dom.ts'

export function listenToStories(ask: (question: string, why: string | null) => void): void {
  partById('stories').addEventListener('click', ({ target }) => {
    const card = target instanceof Element ? target.closest<HTMLElement>('.story') : null
    const question = card?.dataset['question']
    if (question !== undefined) ask(question, card?.dataset['why'] ?? null)
  })
}
