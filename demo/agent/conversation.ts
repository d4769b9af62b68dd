/**
 * Runs the conversation: takes a message, runs its turn, and keeps the messages that later turns send. It is not stored.
 * Parts that mention a forgotten record are removed from the page and from later prompts.
 */
import type { Recall } from 'scrubjay'
import type { Deletions } from '../shared/delete/deletions.ts'
import { messageOf } from '../shared/notice.ts'
import { oneTabStop } from '../shared/roving.ts'
import { announce, make, partById } from '../shared/dom.ts'
import type { RecordLife } from '../shared/record/record-life.ts'
import type { Message } from './model/agent.ts'
import { followScroll } from './follow-scroll.ts'
import type { ModelPanel } from './model-panel.ts'
import { runTurn } from './run-turn.ts'
import { createTurnView, removeMentions } from './turn-view.ts'

export interface Conversation {
  /** Lets the user send messages. */
  ready(): void
  /** Removes what mentions these records from the page and from later prompts. */
  forgotten(ids: readonly string[]): void
}

interface PastTurn {
  readonly messages: readonly Message[]
  /** Ids of the records it mentioned. */
  readonly ids: ReadonlySet<string>
}

/** Enough for “why?” and “forget it”; limits the tokens of a prompt. */
const turnsSent = 6

const suggestions = [
  'Remember that we deploy on Fridays, after the migration',
  'When do we deploy?',
  'Why?',
  'What is the capital of Mongolia?',
  'Forget the deploy',
]

export function createConversation(
  recall: Recall,
  deletions: Deletions,
  model: ModelPanel,
  life: RecordLife,
): Conversation {
  const turns = partById('turns', HTMLOListElement)
  const message = partById('message', HTMLTextAreaElement)
  const send = partById('send', HTMLButtonElement)
  const note = partById('composer-note')
  const follow = followScroll(partById('scroller'), turns)
  let past: readonly PastTurn[] = []
  let running: AbortController | null = null

  partById('composer', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault()
    if (running === null) void take(message.value.trim())
    else running.abort()
  })
  message.addEventListener('input', () => say(''))
  message.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void take(message.value.trim())
  })
  partById('suggestions').append(
    ...suggestions.map((text) => make('button', { type: 'button', class: 'chip', click: () => void take(text) }, text)),
  )

  oneTabStop(partById('suggestions'), '.chip')

  return {
    ready() {
      send.disabled = false
      partById('opening').hidden = false
    },
    forgotten,
  }

  async function take(question: string): Promise<void> {
    if (send.disabled) return
    if (running !== null) return say(whyNotNow())
    if (question === '') return
    say('')
    const mine = new AbortController()
    const view = createTurnView(recall, question, { showLife: life.show, learned: life.refresh, forgotten })
    running = mine
    send.textContent = 'Stop'
    message.value = ''
    for (const open of turns.querySelectorAll<HTMLDetailsElement>('.sent[open]')) open.open = false
    turns.append(view.element)
    follow.toEnd()
    try {
      const earlier = past.slice(-turnsSent).flatMap(({ messages }) => messages)
      const request = { question, earlier, maxTokens: model.maxTokens(), signal: mine.signal }
      const turn = await runTurn(recall, deletions, model.agent(), request, view)
      await view.replied(turn)
      // A turn that forgot a record had read it before, so later prompts leave the turn out.
      if (!view.hasForgotten()) past = [...past, { messages: messagesOf(question, turn.reply), ids: view.ids() }]
      announce(turn.reply)
    } catch (error) {
      const text = mine.signal.aborted ? 'Stopped.' : messageOf(error)
      view.failed(text)
      announce(text)
      // The failed turn is left out of later prompts, so the user can try again.
      if (message.value === '') message.value = question
    } finally {
      running = null
      send.textContent = 'Send'
      say('')
      message.focus({ preventScroll: true })
    }
  }

  function say(sentence: string): void {
    if (note.textContent !== sentence) note.textContent = sentence
  }

  /** Says why a message cannot be sent now. */
  function whyNotNow(): string {
    if (turns.querySelector('.confirmation') !== null) return 'First choose: “Forget it” or “Keep it”.'
    if (deletions.ids().length > 0) return 'First choose: “Undo” or “Delete now”.'
    return 'The agent is still answering. Press “Stop” to send something else.'
  }

  function forgotten(ids: readonly string[]): void {
    past = past.filter((one) => !ids.some((id) => one.ids.has(id)))
    removeMentions(turns, ids)
  }
}

function messagesOf(question: string, reply: string): readonly Message[] {
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: reply, calls: [] },
  ]
}
