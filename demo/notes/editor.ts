/**
 * One note, open: title, text, how often it comes back, and how its saving stands. What another tab writes appears here,
 * unless something is typed here that is not stored yet: then this tab's text is the newer one.
 */
import type { Durability, Recall } from 'scrubjay'
import { forgetControl } from '../page/forget.ts'
import { messageOf } from '../page/notice.ts'
import { announce, make, partById } from '../page/parts.ts'
import { exportNote } from './export-notes.ts'
import { type NoteText, type Rhythm, rhythmDays, tagsIn, textOf } from './note.ts'
import type { NoteIndex } from './note-index.ts'
import { newHref, noteHref, replaceRoute } from './route.ts'
import { createNoteSaver, type SaveState } from './save-notes.ts'

export interface Editor {
  /** Resolves to whether there is such a note. */
  open(id: string): Promise<boolean>
  begin(title: string): void
  close(): void
  flush(): Promise<void>
}

export interface EditorActions {
  /** Called with each stored change of the open note, and when one is opened. */
  shown(id: string, text: NoteText): void
  /** The note is gone; `proof` says so where it was deleted here. */
  gone(proof: HTMLElement | null): void
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
  const saver = createNoteSaver(recall, index, tell)

  for (const field of [title, body, rhythm]) field.addEventListener('input', edited)
  title.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    body.focus()
  })
  previewing.addEventListener('click', () => void setPreview(previewing.getAttribute('aria-pressed') !== 'true'))
  partById('note-save-markdown').addEventListener('click', () => exportNote(text()))
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
      if (id === openId) return true
      void saver.flush()
      const record = await recall.get(id)
      if (record === undefined) return false
      begin(id, textOf(record))
      show({ kind: 'saved', durability: 'committed' }, 'Saved')
      deletion.replaceChildren(deleteControl(id))
      actions.shown(id, text())
      section.focus()
      return true
    },
    begin(wished) {
      void saver.flush()
      begin(crypto.randomUUID(), { title: wished, body: '', rhythm: 'month' })
      show({ kind: 'empty' })
      title.focus()
      if (wished !== '') edited()
    },
    close() {
      void saver.flush()
      openId = null
      section.hidden = true
    },
    flush: saver.flush,
  }

  function begin(id: string, given: NoteText): void {
    openId = id
    section.hidden = false
    section.dataset['id'] = id
    deletion.replaceChildren()
    setText(given)
    void setPreview(false)
  }

  function edited(): void {
    if (openId === null) return
    showTags()
    saver.edit(openId, text())
  }

  /** Somebody stored the open note: this tab, or another one. */
  async function changed(id: string): Promise<void> {
    if (index.byId(id) === undefined) return leave(id)
    if (saver.isDirty(id)) return
    const record = await recall.get(id).catch(() => undefined)
    if (record === undefined || openId !== id || saver.isDirty(id)) return
    const stored = textOf(record)
    if (stored.title !== title.value.trim() || stored.body !== body.value || stored.rhythm !== rhythm.value) {
      setText(stored)
      if (!preview.hidden) void setPreview(true)
      announce('Changed in another tab.')
    }
    actions.shown(id, stored)
  }

  function leave(id: string): void {
    // A new note is not in the index before it is first stored.
    if (deletion.childElementCount === 0) return
    saver.abandon(id)
    openId = null
    announce('This note was deleted.')
    actions.gone(null)
  }

  function tell(id: string, next: SaveState): void {
    if (id !== openId) return
    show(next)
    if (next.kind !== 'saved') return
    actions.shown(id, text())
    if (deletion.childElementCount > 0) return
    deletion.replaceChildren(deleteControl(id))
    replaceRoute(noteHref(id))
  }

  function show(next: SaveState, sentence = sentenceOf(next)): void {
    state.dataset['state'] = next.kind
    state.replaceChildren(sentence)
    if (next.kind !== 'failed') return
    state.append(' ', make('button', { type: 'button', class: 'small', click: () => void saver.flush() }, 'Try again'))
    announce(sentence)
  }

  function text(): NoteText {
    return { title: title.value, body: body.value, rhythm: isRhythm(rhythm.value) ? rhythm.value : 'never' }
  }

  function setText(given: NoteText): void {
    const { selectionStart, selectionEnd } = body
    if (title.value.trim() !== given.title) title.value = given.title
    if (body.value !== given.body) {
      body.value = given.body
      body.setSelectionRange(selectionStart, selectionEnd)
    }
    rhythm.value = given.rhythm
    showTags()
  }

  function showTags(): void {
    const found = tagsIn(`${title.value}\n${body.value}`)
    tags.replaceChildren(...found.map((tag) => make('span', { class: 'tag' }, tag)))
  }

  async function setPreview(isOn: boolean): Promise<void> {
    previewing.setAttribute('aria-pressed', String(isOn))
    body.hidden = isOn
    preview.hidden = !isOn
    if (!isOn) return
    // Its Markdown reader is more than the rest of the page, and a note is written before it is looked at.
    const { renderMarkdown } = await import('./preview.ts')
    const hrefOf = (link: string) => {
      const line = index.byTitle(link)
      return line === undefined ? newHref(link) : noteHref(line.id)
    }
    preview.replaceChildren(renderMarkdown(body.value, hrefOf))
  }

  function deleteControl(id: string): HTMLElement {
    const forget = async () => {
      // A write that waits would bring the note back.
      saver.abandon(id)
      await saver.flush()
      return recall.forget(id)
    }
    return forgetControl(
      { forget, verifyForgotten: recall.verifyForgotten },
      { id },
      (proof) => {
        saver.abandon(id)
        openId = null
        actions.gone(proof)
      },
      'note',
    )
  }
}

function sentenceOf(state: SaveState): string {
  switch (state.kind) {
    case 'empty':
      return 'Nothing to save yet'
    case 'typing':
      return 'Not saved yet …'
    case 'saving':
      return 'Saving …'
    case 'saved':
      return savedSentences[state.durability]
    case 'failed':
      return `Not saved: ${messageOf(state.error)} A draft is kept.`
  }
}

const savedSentences: Readonly<Record<Durability, string>> = {
  committed: 'Saved',
  scheduled: 'Saved, on its way to the disk',
  memory: 'Kept until this tab closes: there is no storage here',
}

function isRhythm(value: string): value is Rhythm {
  return Object.hasOwn(rhythmDays, value)
}
