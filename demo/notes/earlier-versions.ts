/** Shows the earlier versions of the open note, and in what each differs from the text of now. A version can be put back, and that undone. */
import type { Recall } from 'scrubjay'
import { announce, hidden, make, partById } from '../shared/dom.ts'
import { moment } from '../shared/format.ts'
import { explainError, showNotice } from '../shared/notice.ts'
import type { Editor } from './editor.ts'
import { type DiffLine, diffLines } from './model/diff-lines.ts'
import { type EarlierVersion, worthShowing } from './model/versions.ts'

export interface EarlierVersions {
  /** Called when a note is opened, and at each stored change of it; null: none is open, or it is not stored yet. */
  show(id: string | null): void
}

export function createEarlierVersions(recall: Recall, editor: () => Editor): EarlierVersions {
  const section = partById('versions')
  const fold = partById('versions-fold', HTMLDetailsElement)
  const list = partById('versions-list')
  let openId: string | null = null
  let hideUndo = () => {}
  fold.addEventListener('toggle', () => void refresh())
  return {
    show(id) {
      if (id !== openId) {
        fold.open = false
        hideUndo()
      }
      openId = id
      section.hidden = id === null
      void refresh()
    },
  }

  /** Versions hold whole texts, so they are read when the user wants to see them. */
  async function refresh(): Promise<void> {
    const id = openId
    if (id === null || !fold.open) return list.replaceChildren()
    try {
      const shown = worthShowing(await recall.versions(id), Date.now())
      if (id !== openId) return
      const focused =
        document.activeElement instanceof HTMLElement ? document.activeElement.dataset['until'] : undefined
      list.replaceChildren(
        ...(shown.length === 0
          ? [make('p', { class: 'quiet' }, 'None yet.')]
          : [make('ul', { class: 'link-list' }, ...shown.map((version) => make('li', {}, button(id, version))))]),
        make('p', { class: 'quiet' }, 'Kept in this browser until the note is deleted for good.'),
      )
      if (focused !== undefined) list.querySelector<HTMLElement>(`[data-until="${focused}"]`)?.focus()
    } catch (error) {
      explainError('The earlier versions could not be loaded.', error)
    }
  }

  function button(id: string, version: EarlierVersion): HTMLElement {
    const { until } = version
    const click = () => void look(id, version)
    return make('button', { type: 'button', class: 'small', 'data-until': until, click }, `Until ${moment(until)}`)
  }

  async function look(id: string, version: EarlierVersion): Promise<void> {
    await editor().flush()
    if (id !== openId) return
    const now = editor().text()
    const name = `Until ${moment(version.until)}`
    const close = make('button', { type: 'button', click: () => dialog.close() }, 'Close')
    const back = make('button', { type: 'button', class: 'primary', id: 'version-back' }, 'Put this version back')
    back.addEventListener('click', () => {
      dialog.close()
      putBack(version)
    })
    const dialog = make(
      'dialog',
      { class: 'version', 'aria-labelledby': 'version-name', close: () => dialog.remove() },
      make('h2', { id: 'version-name' }, name),
      make('p', { class: 'quiet' }, 'If you put it back, the lines with + come back, and those with − go.'),
      make(
        'div',
        { class: 'diff', role: 'group', 'aria-label': 'What differs', tabindex: 0 },
        ...diffLines(`${now.title}\n${now.body}`, `${version.title}\n${version.body}`).map(lineOf),
      ),
      make('p', { class: 'buttons' }, back, close),
    )
    document.body.append(dialog)
    dialog.showModal()
  }

  function putBack({ title, body, until }: EarlierVersion): void {
    const before = editor().replace({ title, body })
    const undo = make('button', { type: 'button', id: 'version-undo' }, 'Undo')
    const close = make('button', { type: 'button', click: () => hideUndo() }, 'Close')
    undo.addEventListener('click', () => {
      hideUndo()
      editor().replace(before)
    })
    const sentence = `The version until ${moment(until)} is back.`
    hideUndo()
    hideUndo = showNotice('calm', make('p', {}, sentence), make('p', { class: 'buttons' }, undo, close))
    announce(sentence)
  }
}

function lineOf({ kind, text }: DiffLine): HTMLElement {
  const sign = kind === 'new' ? '+' : kind === 'old' ? '−' : ' '
  const words = kind === 'new' ? 'comes back: ' : kind === 'old' ? 'goes: ' : null
  return make(
    'p',
    { 'data-kind': kind },
    make('span', { 'aria-hidden': 'true' }, sign),
    make('span', {}, words === null ? null : hidden(words), text),
  )
}
