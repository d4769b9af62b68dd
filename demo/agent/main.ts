/** Starts the agent's page: opens the store, connects the panels and takes messages. */
import type { Recall } from 'scrubjay'
import { createDeletions } from '../shared/delete/deletions.ts'
import { counted } from '../shared/format.ts'
import { explainError } from '../shared/notice.ts'
import { openStore } from '../shared/store/open-store.ts'
import { partById } from '../shared/dom.ts'
import { createRecordLife } from '../shared/record/record-life.ts'
import { authority } from './authority-tiers.ts'
import { createConversation } from './conversation.ts'
import { createMemoryPanel } from './memory-panel.ts'
import { createModelPanel } from './model-panel.ts'

void start()

async function start(): Promise<void> {
  try {
    const recall = await openStore({ name: 'agent', authority }, partById('chat-heading'))
    if (recall !== null) run(recall)
  } catch (error) {
    explainError('The page could not start.', error)
  }
}

function run(recall: Recall): void {
  const life = createRecordLife(recall)
  partById('life').append(life.element)
  life.follow(null)
  const model = createModelPanel()
  const deletions = createDeletions(recall, { app: 'agent', one: 'memory', many: 'memories' })
  const conversation = createConversation(recall, deletions, model, life)
  const memories = createMemoryPanel(recall, {
    showLife: life.show,
    deleting: deletions.ids,
    forget: (record) =>
      void deletions.remove([record]).then((isGone) => {
        if (isGone) conversation.forgotten([record.id])
      }),
  })
  partById('chat-heading').textContent = 'Conversation'

  recall.subscribe((event) => {
    if (event.type === 'changed' || event.type === 'ready' || event.type === 'leader-changed') void refresh()
  })
  deletions.onChange(() => void refresh())
  void deletions
    .takeUp()
    .then(refresh)
    .finally(() => void conversation.ready())

  async function refresh(): Promise<void> {
    const [status] = await Promise.all([recall.status(), memories.refresh()])
    const brief = partById('store-brief')
    const location = status.backend === 'memory' ? 'in memory only' : 'kept in this browser'
    brief.textContent = `${counted(status.records, 'memory', 'memories')} · ${location}`
    brief.dataset['tone'] = status.backend === 'memory' ? 'warning' : 'good'
    life.refresh()
  }
}
