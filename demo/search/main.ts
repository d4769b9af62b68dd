/** Starts the demo: opens the store, fills it on the first visit, connects the panels and answers questions. */
import { type Recall, RecallError, type StoredRecord } from 'scrubjay'
import { createDeletions } from '../shared/delete/deletions.ts'
import { partById } from '../shared/dom.ts'
import { listenToKeys } from '../shared/keys.ts'
import { explainError, showReport } from '../shared/notice.ts'
import { openStore } from '../shared/store/open-store.ts'
import { createReadings } from '../shared/readings.ts'
import { createStorePanel } from '../shared/store/store-panel.ts'
import { createAnswerView } from './answer/answer-view.ts'
import { createCompletion } from './answer/completion.ts'
import { createKindFilter } from './answer/kind-filter.ts'
import { createOrderSwitch } from './answer/order.ts'
import { createPolicySwitch } from './answer/policy-switch.ts'
import { createReplaced } from './answer/replaced.ts'
import { createSearch } from './answer/search.ts'
import { authority } from './answer/sources.ts'
import { createImportPanel } from './import/import-panel.ts'
import { fillWithSample, isFirstVisit, keepEmpty } from './import/load-sample.ts'
import { listenToStories } from './stories.ts'
import { createWhoseSwitch } from './whose.ts'

/** The sample's own today, so that its answers stay the same. */
const sampleToday = Date.UTC(2026, 10, 20, 18)

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
  const order = createOrderSwitch(() => void search.askAgain())
  const whose = createWhoseSwitch(() => {
    view.clearWhy()
    void refresh().then(search.ask)
  })
  const kinds = createKindFilter(recall, whose.scope, () => void search.ask())
  const scope = () => ({ ...whose.scope(), ...kinds.scope() })
  createCompletion(recall, query, scope, () => void search.ask())
  const replaced = createReplaced(recall)
  const readings = createReadings(recall, partById('readings'), 'record', {
    ask(text) {
      query.value = text
      void search.ask()
    },
    askAgain: () => void search.askAgain(),
  })
  const view = createAnswerView(recall, readings, {
    showMore: () => search.showMore(),
    remove: (record) => void remove(record),
    replaced: replaced.of,
    isSample: () => whose.whose() === 'sample',
    loadSample: async () => {
      await fillWithSample(recall)
      whose.choose('sample')
      await refreshAll()
    },
  })
  const deletions = createDeletions(recall, { app: 'demo', one: 'record' })
  const search = createSearch(
    recall,
    query,
    {
      scope,
      policy,
      order,
      readings: readings.options,
      exclude: deletions.ids,
      now: () => (whose.whose() === 'sample' ? sampleToday : undefined),
    },
    view,
  )
  const panel = createStorePanel(recall, {
    loadSample: () => fillWithSample(recall),
    changed: () => void refreshAll(),
    deleted: keepEmpty,
  })
  let removeReport = () => {}
  createImportPanel(recall, {
    begun: view.showImport,
    changed: () => {
      // Without a question, the page lists the records that were just added.
      query.value = ''
      whose.choose('yours')
      void refresh()
    },
    stored(sentence) {
      removeReport()
      if (view.uncover()) removeReport = showReport(sentence, view.showImport)
    },
  })
  listenToKeys(query, () => void search.ask(), view.uncover)
  listenToStories((text, why) => {
    query.value = text
    whose.choose('sample')
    if (why !== null) view.explain(why, query)
  })

  await deletions.takeUp()
  deletions.onChange(() => void search.askAgain())
  if (await isFirstVisit(recall)) await fillWithSample(recall)
  await replaced.read()
  await refreshAll()

  async function remove(record: StoredRecord): Promise<void> {
    if (!(await deletions.remove([record]))) return
    view.forgotten()
    await refresh()
  }

  /** Reads again what the page shows about the store, after a change. */
  async function refresh(): Promise<void> {
    try {
      await Promise.all([replaced.read(), panel.refresh(), kinds.refresh()])
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
