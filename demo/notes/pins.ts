/** Pins notes, which then come first in the list: by the button of the open note, or by P for it or the note in the list that has the focus. */
import type { Recall } from 'scrubjay'
import { announce, make, partById } from '../shared/dom.ts'
import { listenToKey } from '../shared/keys.ts'
import { explainError, showNotice } from '../shared/notice.ts'
import { whileAlone } from './drafts.ts'
import { fileFactsOf, withPin } from './model/front-matter.ts'
import { pinTag, recordOf, textOf } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'

export interface Pins {
  /** Shows the pin of the open note; null: none is open, or it is not stored yet. */
  show(id: string | null): void
}

export function createPins(recall: Recall, index: NoteIndex): Pins {
  const button = partById('note-pin', HTMLButtonElement)
  let openId: string | null = null
  button.addEventListener('click', () => void toggle(openId))
  listenToKey('p', () => {
    const row = document.activeElement?.closest('.row')?.querySelector<HTMLElement>('.hit')
    void toggle(row?.dataset['id'] ?? openId)
  })
  index.onChange(refresh)
  return {
    show(id) {
      openId = id
      refresh()
    },
  }

  function refresh(): void {
    button.disabled = openId === null
    button.setAttribute('aria-pressed', String(openId !== null && isPinned(openId)))
  }

  function isPinned(id: string): boolean {
    return index.byId(id)?.tags.includes(pinTag) === true
  }

  async function toggle(id: string | null): Promise<void> {
    if (id === null) return
    const wanted = !isPinned(id)
    try {
      await whileAlone(() => setPinned(id, wanted))
      await index.refresh([id])
    } catch (error) {
      explainError('The note could not be pinned or unpinned.', error)
      return
    }
    if (isPinned(id) === wanted) return announce(wanted ? 'Pinned.' : 'No longer pinned.')
    const close = make('button', { type: 'button', click: () => hide() }, 'Close')
    const hide = showNotice('calm', make('p', {}, `The tag “#${pinTag}” keeps this note pinned.`), close)
  }

  /** In the front matter, so that exports have it. The note does not become newer. */
  async function setPinned(id: string, wanted: boolean): Promise<void> {
    const record = await recall.get(id)
    if (record === undefined) return
    const frontMatter = withPin(fileFactsOf(record.metadata).frontMatter, wanted)
    const { tags = [] } = recordOf(textOf(record), () => undefined, frontMatter)
    await recall.patch(id, { tags, metadata: { ...record.metadata, frontMatter }, updatedAt: record.updatedAt })
  }
}
