/** Reports that a text was stored as a separate note, with the reason and links to both. */
import { showNotice } from '../shared/notice.ts'
import { make } from '../shared/dom.ts'
import { noteHref } from './address/route.ts'
import type { StoredNote } from './store-note.ts'

/** `id` is the note in which the text was typed. Shows nothing if the text was stored in that note. */
export function explainSplit(id: string, { id: newId, text, split }: StoredNote): void {
  if (split === null) return
  const link = (href: string, name: string) => make('a', { href }, name)
  const sentence =
    split === 'conflict'
      ? make(
          'p',
          {},
          make('strong', {}, 'Both texts are kept.'),
          ' This note was changed in another tab at the same place. What you typed is in “',
          link(noteHref(newId), text.title),
          '”. The other text is in ',
          link(noteHref(id), 'the first note'),
          '.',
        )
      : make(
          'p',
          {},
          make('strong', {}, 'Your text is kept.'),
          ' This note was deleted in another tab while you were typing. What you typed is now ',
          link(noteHref(newId), 'a new note'),
          '.',
        )
  const close = make('button', { type: 'button', click: () => remove() }, 'Close')
  const remove = showNotice('warning', sentence, make('p', { class: 'buttons' }, close))
}
