/** Starts the demo: opens the store, fills it on the first visit, connects the panels and answers questions. */
import { type Recall, RecallError, type StoredRecord } from 'scrubjay'
import { createDeletions } from '../shared/delete/deletions.ts'
import { listenToKeys } from '../shared/keys.ts'
import { explainError } from '../shared/notice.ts'
import { openStore } from '../shared/open-store.ts'
import { partById } from '../shared/parts.ts'
import { createStorePanel } from '../shared/store/store-panel.ts'
import { createAnswerView } from './answer/answer-view.ts'
import { authority } from './answer/authority.ts'
import { createFacets } from './answer/facets.ts'
import { createPolicySwitch } from './answer/policy-switch.ts'
import { createSearch } from './answer/search.ts'
import { createFolderPanel } from './import/folder-panel.ts'
import { createImportPanel } from './import/import-panel.ts'
import { fillWithSample, isFirstVisit, keepEmpty } from './import/load-sample.ts'

void start()

async function start(): Promise<void> {
  try {
    const recall = await openStore({ name: 'demo', authority }, partById('answer-heading'))
    if (recall !== null) await run(recall)
  } catch (error) {
    explainError('The page could not start.', error)
  }
}

async function run(recall: Recall): Promise<void> {
  const query = partById('query', HTMLInputElement)
  const { policy } = createPolicySwitch(() => void search.askAgain())
  const facets = createFacets(recall, () => void search.ask())
  const view = createAnswerView(recall, {
    showMore: () => search.showMore(),
    askFor: (text) => {
      query.value = text
      query.focus()
      void search.ask()
    },
    remove: (hit) => void remove(hit.record),
    loadSample: async () => {
      await fillWithSample(recall)
      await refreshAll()
    },
  })
  const deletions = createDeletions(recall, { app: 'demo', one: 'record' })
  const search = createSearch(recall, query, { scope: facets.scope, policy, exclude: deletions.ids }, view)
  const panel = createStorePanel(recall, {
    loadSample: () => fillWithSample(recall),
    changed: () => void refreshAll(),
    deleted: keepEmpty,
  })
  createImportPanel(recall, { changed: () => void refreshAll() })
  createFolderPanel(recall, { changed: () => void search.ask() })
  listenToKeys(query, () => void search.ask())

  await deletions.takeUp()
  deletions.onChange(() => void search.askAgain())
  if (await isFirstVisit(recall)) await fillWithSample(recall)
  await refreshAll()

  async function remove(record: StoredRecord): Promise<void> {
    if (!(await deletions.remove([record]))) return
    view.forgotten()
    await refresh()
  }

  /** Updates facets and store panel after a change that does not affect the answer. */
  async function refresh(): Promise<void> {
    try {
      await Promise.all([facets.refresh(), panel.refresh()])
    } catch (error) {
      // The store is being deleted, or the user is leaving the page.
      if (error instanceof RecallError && error.code === 'CLOSED') return
      explainError('The contents of the store could not be read.', error)
    }
  }

  async function refreshAll(): Promise<void> {
    await Promise.all([refresh(), search.ask()])
  }
}
