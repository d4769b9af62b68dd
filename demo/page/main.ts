/**
 * The demo from its start: open the store, fill it on the first visit, wire the panels, answer.
 * Everything it knows of the engine comes from the package's public exports.
 */
import type { Recall } from 'scrubjay'
import { createAnswerView } from './answer-view.ts'
import { authority } from './authority.ts'
import { createFacets } from './facets.ts'
import { createFolderPanel } from './folder-panel.ts'
import { createImportPanel } from './import-panel.ts'
import { listenToKeys } from './keys.ts'
import { fillWithSample, isFirstVisit } from './load-sample.ts'
import { explainError } from './notice.ts'
import { openStore } from './open-store.ts'
import { partById } from './parts.ts'
import { createPolicySwitch } from './policy-switch.ts'
import { createSearch } from './search.ts'
import { createStorePanel } from './store-panel.ts'

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
  const { policy } = createPolicySwitch(() => void search.askAnew())
  const facets = createFacets(recall, () => void search.ask())
  const view = createAnswerView(recall, {
    showMore: () => search.showMore(),
    askFor: (text) => {
      query.value = text
      query.focus()
      void search.ask()
    },
    forgotten: () => void refresh(),
  })
  const search = createSearch(recall, query, { scope: facets.scope, policy }, view)
  const panel = createStorePanel(recall, { changed: () => void refreshAll() })
  createImportPanel(recall, { changed: () => void refreshAll() })
  createFolderPanel(recall, { changed: () => void search.ask() })
  listenToKeys(query, () => void search.ask())

  if (await isFirstVisit(recall)) await fillWithSample(recall)
  await refreshAll()

  /** After a change that leaves the answer on the page as it is. */
  async function refresh(): Promise<void> {
    await Promise.all([facets.refresh(), panel.refresh()])
  }

  async function refreshAll(): Promise<void> {
    await Promise.all([refresh(), search.ask()])
  }
}
