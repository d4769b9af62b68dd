/**
 * Edits one note: title, text, interval, and the state of saving. Changes of other tabs appear here; if this tab has unsaved
 * text, both are merged when it is stored.
 */
import type { Durability, Recall, StoredRecord } from 'scrubjay'
import { deleteButton } from '../shared/delete/delete-button.ts'
import { explainChanged } from '../shared/delete/deletions.ts'
import { explainError, messageOf, showNotice } from '../shared/notice.ts'
import { announce, make, partById } from '../shared/dom.ts'
import { completeLinks } from './text-box/complete-links.ts'
import { exportNote } from './files/export-notes.ts'
import { explainSplit } from './kept-apart.ts'
import { isSameNote } from './merge-notes.ts'
import { titleToWrite } from './model/links.ts'
import { type NoteText, type Rhythm, rhythmDays, tagsIn, textOf, trashedAtOf } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'
import { refusePictures } from './text-box/refuse-pictures.ts'
import { newHref, noteHref, replaceRoute } from './address/route.ts'
import { createNoteSaver, type SaveState } from './save-notes.ts'
import type { StoredNote } from './store-note.ts'

export interface Editor {
  /** Resolves to whether the note exists; to null if another note was opened meanwhile, or this one left. */
  open(id: string): Promise<boolean | null>
  /** `id`: of the new note. Default: a random one. */
  begin(title: string, id?: string): void
  close(): void
  flush(): Promise<void>
  /** The text on the page. */
  text(): NoteText
  /** Replaces title and text as if they were typed. Returns the text before. */
  replace(next: Pick<NoteText, 'title' | 'body'>): NoteText
}

export interface EditorActions {
  /** Called when a note is opened, and at each stored change of it. */
  shown(id: string, text: NoteText): void
  /** Called when the note leaves the editor. */
  gone(): void
  /** Deletes a note, unless the user undoes it or another tab changes the note. Resolves to whether it is deleted. */
  remove(record: StoredRecord): Promise<boolean>
}

export function createEditor(recall: Recall, index: NoteIndex, actions: EditorActions): Editor {
  const section = partById('editor')
  const title = partById('note-title', HTMLInputElement)
  const body = partById('note-body', HTMLTextAreaElement)
  const rhythm = partById('note-rhythm', HTMLSelectElement)
  const previewing = partById('note-preview-toggle', HTMLButtonElement)
  const preview = partById('note-preview')
  const tags = partById('note-tags')
  const state = partById('save-state')
  const deletion = partById('note-delete')
  let openId: string | null = null
  let turn = 0
  const saver = createNoteSaver(recall, index, showState)
  completeLinks(body, index)
  refusePictures(body)

  for (const field of [title, body, rhythm]) field.addEventListener('input', edited)
  title.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    body.focus()
  })
  previewing.addEventListener('click', () => void setPreview(previewing.getAttribute('aria-pressed') !== 'true'))
  preview.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'checkbox') tick(target)
  })
  partById('note-save-markdown').addEventListener('click', () => {
    exportNote(recall, openId, text()).catch((error: unknown) => explainError('The note could not be exported.', error))
  })
  section.addEventListener('keydown', (event) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void saver.flush()
  })
  index.onChange((ids) => {
    if (openId !== null && (ids === null || ids.has(openId))) void changed(openId)
  })

  return {
    async open(id) {
      const mine = ++turn
      if (id === openId) return true
      await saver.flush()
      const record = await recall.get(id)
      if (mine !== turn) return null
      if (record === undefined || trashedAtOf(record) !== null) return false
      const stored = textOf(record)
      const unsaved = saver.unsaved(id)
      begin(id, unsaved ?? stored, stored)
      if (unsaved === null) show('saved', 'Saved')
      else edited()
      deletion.replaceChildren(deleteControl(id))
      actions.shown(id, text())
      section.focus()
      return true
    },
    begin(initialTitle, id = crypto.randomUUID()) {
      void saver.flush()
      begin(id, { title: initialTitle, body: '', rhythm: 'never' }, null)
      showState(openId ?? '', { kind: 'empty' })
      // A note with a title is stored once it has text: following a link must not store empty notes.
      if (initialTitle === '') title.focus()
      else body.focus()
    },
    close() {
      void saver.flush()
      turn++
      openId = null
      section.hidden = true
    },
    flush: saver.flush,
    text,
    replace(next) {
      const before = text()
      adopt({ ...before, ...next })
      edited()
      return before
    },
  }

  function begin(id: string, note: NoteText, stored: NoteText | null): void {
    saver.begin(id, stored)
    turn++
    openId = id
    section.hidden = false
    section.dataset['id'] = id
    deletion.replaceChildren()
    setText(note)
    void setPreview(false)
  }

  function edited(): void {
    if (openId === null) return
    showTags()
    saver.edit(openId, text())
  }

  /** Called after this tab or another one has stored the open note. */
  async function changed(id: string): Promise<void> {
    // Unsaved text is stored in any case, even if the note was deleted; then the editor reports it.
    if (saver.isDirty(id)) return
    if (index.byId(id) === undefined) return leave()
    const record = await recall.get(id).catch(() => undefined)
    if (record === undefined || openId !== id || saver.isDirty(id)) return
    const stored = textOf(record)
    saver.begin(id, stored)
    if (!isSameNote(stored, text())) {
      adopt(stored)
      announce('Changed in another tab.')
    }
    actions.shown(id, stored)
  }

  function leave(): void {
    // A new note is not in the index before it is stored for the first time.
    if (deletion.childElementCount === 0) return
    openId = null
    const close = make('button', { type: 'button', click: () => remove() }, 'Close')
    const remove = showNotice('calm', make('p', {}, 'This note was deleted in another tab.'), close)
    announce('This note was deleted in another tab.')
    actions.gone()
  }

  function showState(id: string, next: SaveState): void {
    if (next.kind === 'saved') explainSplit(id, next.stored)
    if (id !== openId) return
    switch (next.kind) {
      case 'saved':
        return saved(next.stored)
      case 'failed':
        return failed(next.error)
      default:
        show(next.kind, sentences[next.kind])
    }
  }

  function saved(stored: StoredNote): void {
    const isNew = stored.id !== openId || deletion.childElementCount === 0
    openId = stored.id
    section.dataset['id'] = stored.id
    if (stored.text.title.startsWith(title.value.trim())) title.value = stored.text.title
    // Text that was typed meanwhile is stored next, and merged then.
    if (!saver.isDirty(stored.id)) {
      const isMerged = !isSameNote(stored.text, text())
      if (isMerged) adopt(stored.text)
      const sentence = savedSentences[stored.durability]
      show('saved', isMerged ? `${sentence}, merged with changes of another tab` : sentence)
    }
    actions.shown(stored.id, text())
    if (!isNew) return
    deletion.replaceChildren(deleteControl(stored.id))
    replaceRoute(noteHref(stored.id))
  }

  function failed(error: unknown): void {
    const sentence = `Not saved: ${messageOf(error)} A draft is kept.`
    const again = make('button', { type: 'button', class: 'small', click: () => void saver.flush() }, 'Try again')
    show('failed', sentence, ' ', again)
    announce(sentence)
  }

  function show(kind: SaveState['kind'], ...content: readonly (string | Node)[]): void {
    if (kind === 'typing' && state.dataset['state'] === kind) return
    state.dataset['state'] = kind
    state.replaceChildren(...content)
  }

  function text(): NoteText {
    return { title: title.value, body: body.value, rhythm: isRhythm(rhythm.value) ? rhythm.value : 'never' }
  }

  function adopt(stored: NoteText): void {
    setText(stored)
    if (!preview.hidden) void setPreview(true)
  }

  function setText(note: NoteText): void {
    if (title.value.trim() !== note.title) title.value = note.title
    if (body.value !== note.body) replaceText(body, note.body)
    rhythm.value = note.rhythm
    showTags()
  }

  function showTags(): void {
    const found = tagsIn(`${title.value}\n${body.value}`)
    if (found.join() === [...tags.children].map((tag) => tag.textContent).join()) return
    tags.replaceChildren(...found.map((tag) => make('span', { class: 'tag' }, tag)))
  }

  async function setPreview(isOn: boolean): Promise<void> {
    previewing.setAttribute('aria-pressed', String(isOn))
    body.hidden = isOn
    preview.hidden = !isOn
    if (!isOn) return
    // Loaded when needed: the Markdown parser is larger than the rest of the page.
    const { renderMarkdown } = await import('./preview.ts')
    const hrefOf = (link: string) => {
      const line = index.byLink(link)
      return line === undefined ? newHref(titleToWrite(link)) : noteHref(line.id)
    }
    preview.replaceChildren(renderMarkdown(body.value, hrefOf))
  }

  /** Writes a ticked box of the preview into its line. */
  function tick({ dataset, checked }: HTMLInputElement): void {
    const lines = body.value.split('\n')
    const place = Number(dataset['line'])
    lines[place] = (lines[place] ?? '').replace(/\[[ xX]\]/, checked ? '[x]' : '[ ]')
    body.value = lines.join('\n')
    edited()
  }

  function deleteControl(id: string): HTMLElement {
    return deleteButton('note', () => void remove(id))
  }

  async function remove(id: string): Promise<void> {
    const shown = text()
    // Stores the last edits, so that undoing brings them back, too.
    await saver.flush()
    const record = await recall.get(id).catch(() => undefined)
    if (record === undefined || openId !== id) return
    // Text that could not be stored is deleted with its note. Then the stored text must be the one that it started from.
    const seen = saver.isDirty(id) ? saver.baseOf(id) : shown
    if (seen === null || !isSameNote(textOf(record), seen)) {
      explainChanged('note')
      return changed(id)
    }
    openId = null
    actions.gone()
    if (await actions.remove(record)) saver.abandon(id)
    else if (openId === null && index.byId(id) !== undefined) location.hash = noteHref(id)
  }
}

const sentences = { empty: 'Nothing to save yet', typing: 'Not saved yet …', saving: 'Saving …' } as const

const savedSentences: Readonly<Record<Durability, string>> = {
  committed: 'Saved',
  scheduled: 'Saved, not yet on the disk',
  memory: 'Kept until this tab closes: this browser blocks storage. Export before you close it.',
}

/** Replaces the text of a field. Caret and scroll position stay at the same text. */
function replaceText(field: HTMLTextAreaElement, text: string): void {
  const { value: before, selectionStart, selectionEnd, scrollTop } = field
  let start = 0
  while (start < before.length && before[start] === text[start]) start++
  const moved = (at: number) => (at <= start ? at : Math.max(start, text.length - (before.length - at)))
  field.value = text
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd))
  field.scrollTop = scrollTop
}

function isRhythm(value: string): value is Rhythm {
  return Object.hasOwn(rhythmDays, value)
}
