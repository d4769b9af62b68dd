/**
 * The conversation: takes a message, runs its turn, keeps what later turns are sent. It is not stored. What spoke of a record
 * that is forgotten is taken out of the page and of all later prompts.
 */
import type { Recall } from 'scrubjay'
import type { Deletions } from '../shared/delete/deletions.ts'
import { messageOf } from '../shared/notice.ts'
import { announce, make, partById } from '../shared/parts.ts'
import type { RecordLife } from '../shared/record/record-life.ts'
import type { Message } from './agent.ts'
import { followScroll } from './follow-scroll.ts'
import type { MindPanel } from './mind-panel.ts'
import { runTurn } from './run-turn.ts'
import { createTurnView, takeOut } from './turn-view.ts'

export interface Conversation {
  /** Lets messages in. */
  ready(): void
}

interface Said {
  readonly messages: readonly Message[]
  /** The records it spoke of. */
  readonly ids: ReadonlySet<string>
}

/** Enough for “why?” and “forget it”, and a bill that does not grow for ever. */
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
  mind: MindPanel,
  life: RecordLife,
): Conversation {
  const turns = partById('turns', HTMLOListElement)
  const message = partById('message', HTMLTextAreaElement)
  const send = partById('send', HTMLButtonElement)
  const note = partById('composer-note')
  const follow = followScroll(partById('scroller'), turns)
  let said: readonly Said[] = []
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

  return {
    ready() {
      send.disabled = false
      partById('opening').hidden = false
    },
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
      const earlier = said.slice(-turnsSent).flatMap(({ messages }) => messages)
      const request = { question, earlier, maxTokens: mind.maxTokens(), signal: mine.signal }
      const turn = await runTurn(recall, deletions, mind.agent(), request, view)
      await view.replied(turn)
      // A turn that forgot something had read it before: the model need not hear of it again.
      if (!view.hasForgotten()) said = [...said, { messages: messagesOf(question, turn.reply), ids: view.ids() }]
      announce(turn.reply)
    } catch (error) {
      const text = mine.signal.aborted ? 'Stopped.' : messageOf(error)
      view.failed(text)
      announce(text)
      // Nothing of it is sent later: it may be tried again.
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

  /** A message cannot be sent now: what is in the way. */
  function whyNotNow(): string {
    if (turns.querySelector('.confirmation') !== null) return 'First choose: “Forget it” or “Keep it”.'
    if (deletions.ids().length > 0) return 'First choose: “Undo” or “Delete now”.'
    return 'The agent is still answering. Press “Stop” to send something else.'
  }

  function forgotten(ids: readonly string[]): void {
    said = said.filter((one) => !ids.some((id) => one.ids.has(id)))
    takeOut(turns, ids)
  }
}

function messagesOf(question: string, reply: string): readonly Message[] {
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: reply, calls: [] },
  ]
}
