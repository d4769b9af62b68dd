/**
 * Runs the conversation: takes a message, runs its turn, and keeps the messages that later turns send. The next visit shows them
 * again (kept-chat.ts). Parts that mention a forgotten record are removed from the page, from later prompts and from what is kept.
 */
import type { Recall } from 'scrubjay'
import type { Deletions } from '../shared/delete/deletions.ts'
import { messageOf } from '../shared/notice.ts'
import { oneTabStop } from '../shared/roving.ts'
import { announce, make, partById } from '../shared/dom.ts'
import type { RecordLife } from '../shared/record/record-life.ts'
import type { Message } from './model/agent.ts'
import { followScroll } from './follow-scroll.ts'
import { clearChat, keepChat, type KeptTurn, readChat } from './kept-chat.ts'
import type { ModelPanel } from './model-panel.ts'
import { runTurn } from './run-turn.ts'
import { createTurnView, removeMentions } from './turn-view.ts'

export interface Conversation {
  /** Shows the turns of the last visit and lets the user send messages. */
  ready(): Promise<void>
  /** Removes what mentions these records from the page and from later prompts. */
  forgotten(ids: readonly string[]): void
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
  const newChat = partById('new-chat', HTMLButtonElement)
  const actions = {
    showLife: life.show,
    learned: life.refresh,
    forgotten,
    send: (text: string) => void take(text),
  }
  const follow = followScroll(partById('scroller'), turns)
  let past: readonly KeptTurn[] = []
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
  newChat.addEventListener('click', () => {
    if (running !== null) return say(whyNotNow())
    past = []
    clearChat()
    turns.replaceChildren()
    newChat.hidden = true
    message.focus()
  })

  return {
    async ready() {
      await showKept()
      send.disabled = false
      partById('opening').hidden = false
    },
    forgotten,
  }

  /** A turn that mentions a record which is gone is not shown again. */
  async function showKept(): Promise<void> {
    for (const turn of readChat()) {
      if ((await recall.get(turn.ids)).some((record) => record === undefined)) continue
      const view = createTurnView(recall, turn.question, actions, turn.ids)
      turns.append(view.element)
      await view.replied({ ...turn, offers: [], toolTokens: 0, promptTokens: undefined })
      past = [...past, turn]
    }
    newChat.hidden = past.length === 0
    follow.toEnd()
  }

  async function take(question: string): Promise<void> {
    if (send.disabled) return
    if (running !== null) return say(whyNotNow())
    if (question === '') return
    say('')
    const mine = new AbortController()
    const view = createTurnView(recall, question, actions)
    running = mine
    send.textContent = 'Stop'
    message.value = ''
    for (const open of turns.querySelectorAll<HTMLDetailsElement>('.sent[open]')) open.open = false
    turns.append(view.element)
    follow.toEnd()
    try {
      const earlier = past.slice(-turnsSent).flatMap(messagesOf)
      const request = { question, earlier, maxTokens: model.maxTokens(), signal: mine.signal }
      const turn = await runTurn(recall, deletions, model.agent(), request, view)
      await view.replied(turn)
      // A turn that forgot a record had read it before, so later prompts leave the turn out.
      if (!view.hasForgotten()) remember({ question, reply: turn.reply, isPlain: turn.isPlain, ids: [...view.ids()] })
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

  function remember(turn: KeptTurn): void {
    past = [...past, turn]
    newChat.hidden = false
    keepChat(past)
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
    past = past.filter((one) => !ids.some((id) => one.ids.includes(id)))
    removeMentions(turns, ids)
    // A turn can repeat the record's words without its id.
    clearChat()
  }
}

function messagesOf({ question, reply }: KeptTurn): readonly Message[] {
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: reply, calls: [] },
  ]
}
