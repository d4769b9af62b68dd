/** Starts the notes app: opens the store, stores drafts, connects the parts and follows the address. */
import type { Recall } from 'scrubjay'
import { createDeletions } from '../shared/delete/deletions.ts'
import { bytes, counted } from '../shared/format.ts'
import { listenToKey, listenToKeys } from '../shared/keys.ts'
import { explainError, showNotice } from '../shared/notice.ts'
import { announce, make, partById } from '../shared/dom.ts'
import { degraded, safety } from '../shared/store/store-panel.ts'
import { createConnections } from './connections.ts'
import { keepNoDrafts, whileAlone } from './drafts.ts'
import { createDueNotes } from './due-notes.ts'
import { createEarlierVersions, type EarlierVersions } from './earlier-versions.ts'
import { createEditor, type Editor } from './editor.ts'
import { createExport } from './files/export-notes.ts'
import { createImport } from './files/import-notes.ts'
import { createFinder } from './list/finder.ts'
import { keptOrder } from './list/sort-choice.ts'
import { writeFirstNotes } from './first-notes.ts'
import { keepOffline } from './keep-offline.ts'
import { explainSplit } from './kept-apart.ts'
import { createLock } from './lock/lock-panel.ts'
import { idOfDay, today } from './model/day-note.ts'
import { createNoteIndex, type NoteIndex } from './model/note-index.ts'
import { storeOrders } from './model/sort-notes.ts'
import { type OpenNotes, openNotes } from './open-notes.ts'
import { newHref, noteHref, readRoute, replaceRoute } from './address/route.ts'
import { createPalette } from './palette/palette.ts'
import { createPins } from './pins.ts'
import { storeDrafts } from './save-notes.ts'
import { createSync } from './sync/sync-panel.ts'
import { createTrash, moveToTrash } from './trash.ts'

let flush = () => Promise.resolve()

void start()

async function start(): Promise<void> {
  try {
    const opened = await openNotes(() => flush())
    if (opened !== null) await run(opened)
  } catch (error) {
    explainError('The notes could not start.', error)
  }
  partById('app-status').textContent = await keepOffline(() => flush())
}

async function run({ recall, isLocked }: OpenNotes): Promise<void> {
  if (isLocked) keepNoDrafts()
  await writeFirstNotes(recall)
  let known: NoteIndex | undefined
  const deletions = createDeletions(recall, {
    app: 'notes',
    one: 'note',
    alone: whileAlone,
    async toTrash(ids) {
      await moveToTrash(recall, ids)
      // Before the deletion ends, so that the note is not listed in between.
      await known?.refresh(ids)
    },
  })
  await deletions.takeUp()
  const outdated = (error: unknown) => explainError('The list may be out of date.', error)
  const index = await createNoteIndex(recall, deletions, outdated, storeOrders[keptOrder()])
  known = index
  const finder = createFinder(recall, index)
  finder.ask()
  await index.complete
  let restored = 0
  let removeRestored = () => {}
  await storeDrafts(
    recall,
    index,
    (id, stored) => {
      explainSplit(id, stored)
      removeRestored()
      const sentence = `${counted(++restored, 'note')} restored from unsaved drafts.`
      removeRestored = showNotice('calm', make('p', {}, sentence))
    },
    (error) => explainError('A draft could not be stored. The next start tries again.', error),
  )

  const dueNotes = createDueNotes(recall, index)
  const connections = createConnections(recall, index)
  const pins = createPins(recall, index)
  const versions: EarlierVersions = createEarlierVersions(recall, () => editor)
  const editor: Editor = createEditor(recall, index, {
    shown(id, text) {
      finder.mark(id)
      connections.show(id, text)
      pins.show(id)
      versions.show(id)
    },
    gone: goHome,
    remove: (record) => deletions.remove([record]),
  })
  flush = editor.flush
  createImport(recall, index)
  createExport(recall, index)
  createSync(recall)
  createLock(recall, isLocked, editor.flush)
  createTrash(recall, index, deletions)
  // Before the other keys: in this app Ctrl+K opens the palette.
  createPalette(recall, index, goHome)
  const query = partById('query', HTMLInputElement)
  // On narrow screens a note takes the place of the box.
  listenToKeys(query, finder.ask, () => query.checkVisibility() || goHome())
  listenToKey('n', () => (location.hash = newHref()))
  partById('skip').addEventListener('click', (event) => {
    // Following the link would change the address and leave the note.
    event.preventDefault()
    const box = partById('query')
    const isInSight = box.checkVisibility?.() ?? true
    partById(isInSight ? 'query' : 'note-title').focus()
  })
  addEventListener('hashchange', () => void follow())
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void editor.flush()
    else if (!partById('home').hidden) void dueNotes.refresh()
  })
  index.onChange(() => void showStore(recall, index))
  await Promise.all([follow(), showStore(recall, index)])

  async function follow(): Promise<void> {
    const route = readRoute()
    if (route.kind === 'home') return showHome()
    if (route.kind === 'today') {
      const title = today()
      const line = index.byTitle(title) ?? index.byId(idOfDay(title) ?? '')
      replaceRoute(line === undefined ? newHref(title) : noteHref(line.id))
      return follow()
    }
    const isNote = route.kind === 'note'
    const isFound = isNote ? await editor.open(route.id) : true
    if (isFound === null) return
    if (!isFound) {
      announce('This note does not exist.')
      return showHome()
    }
    if (!isNote) {
      connections.hide()
      finder.mark(null)
      pins.show(null)
      versions.show(null)
      editor.begin(route.title, idOfDay(route.title))
    }
    document.body.dataset['at'] = 'note'
    partById('home').hidden = partById('tools').hidden = true
    scrollTo({ top: 0 })
  }

  function goHome(): void {
    location.hash = ''
    showHome()
  }

  function showHome(): void {
    editor.close()
    connections.hide()
    finder.mark(null)
    pins.show(null)
    versions.show(null)
    document.body.dataset['at'] = 'home'
    partById('home').hidden = partById('tools').hidden = false
    void dueNotes.refresh()
  }
}

async function showStore(recall: Recall, index: NoteIndex): Promise<void> {
  const status = await recall.status()
  const brief = partById('store-brief')
  brief.textContent = `${counted(status.records - index.deleting().length, 'note')} · ${status.backend === 'memory' ? 'in memory only' : 'kept in this browser'}`
  brief.dataset['tone'] = status.backend === 'memory' ? 'warning' : 'good'
  const kept = status.history?.bytes ?? 0
  const versions = kept === 0 ? [] : [make('p', { class: 'quiet' }, `${bytes(kept)} are earlier versions of notes.`)]
  partById('store-status').replaceChildren(safety(status), ...versions, ...degraded(status))
}
