/**
 * Shows one turn: the message, each tool call with its answer, the reply with its sources, and the prompt details. Each part
 * is marked with the records it mentions, so that it can be removed when one of them is forgotten.
 */
import type { ContextPackage, ForgottenProof, Recall, StoredRecord } from 'scrubjay'
import type { JsonObject } from 'scrubjay/tools'
import { make } from '../shared/dom.ts'
import type { Offer, ToolCall } from './model/agent.ts'
import { createCallCard } from './call-card.ts'
import { createPromptDetails, type PromptDetails } from './prompt-details.ts'
import { citedIds, replyText } from './reply-text.ts'
import type { Turn, TurnListener } from './run-turn.ts'
import { feedbackButtons } from './feedback-buttons.ts'
import type { TurnActions } from './turn-actions.ts'

export interface TurnView extends TurnListener {
  readonly element: HTMLElement
  /** Ids of the records that this turn has read. */
  ids(): ReadonlySet<string>
  hasForgotten(): boolean
  replied(turn: Turn): Promise<void>
  failed(reason: string): void
}

/** `known`: ids that a turn of an earlier visit mentioned. */
export function createTurnView(
  recall: Recall,
  question: string,
  actions: TurnActions,
  known: readonly string[] = [],
): TurnView {
  const asked = make('p', { class: 'asked' }, question)
  const calls = make('ol', { class: 'calls', 'aria-label': 'Tool calls' })
  const reply = make('div', { class: 'reply', 'aria-busy': 'true' }, waiting(thinking))
  const element = make('li', { class: 'turn' }, asked, reply)
  const seen = new Set(known)
  if (known.length > 0) mark(asked, known)
  const cards = new Map<ToolCall, ReturnType<typeof createCallCard>>()
  let context: ContextPackage | undefined
  let sent: PromptDetails | undefined
  let hasForgotten = false
  let isAnswer = true
  let written = ''
  let isDrawing = false
  let isDone = false

  return {
    element,
    ids: () => seen,
    hasForgotten: () => hasForgotten,
    recalled(recalled, prompt) {
      context = recalled
      sent = createPromptDetails(recall, recalled, prompt, actions)
      mark(
        sent.element,
        recalled.records.map(({ id }) => id),
      )
      element.append(sent.element)
    },
    called(call) {
      if (!calls.isConnected) reply.before(calls)
      const card = createCallCard(call)
      cards.set(call, card)
      calls.append(card.element)
    },
    said(text) {
      written = text
      if (!isDrawing) requestAnimationFrame(() => void draw())
      isDrawing = true
    },
    async confirm(call, records, signal) {
      reply.replaceChildren(waiting('Waiting for your answer.'))
      const isMeant = (await cards.get(call)?.confirm(records, signal)) ?? false
      reply.replaceChildren(waiting(isMeant ? 'Waiting until it can no longer be undone.' : thinking))
      return isMeant
    },
    answered,
    replied,
    failed(reason) {
      isDone = true
      reply.ariaBusy = 'false'
      reply.dataset['tone'] = 'bad'
      const title = written === '' ? 'No answer. ' : 'Not complete. '
      const sentence = make('p', {}, make('strong', {}, title), reason)
      // Text that has arrived stays.
      if (written === '') reply.replaceChildren(sentence)
      else reply.append(sentence)
    },
  }

  /** Shows the text so far, at most once a frame. */
  async function draw(): Promise<void> {
    isDrawing = false
    const text = await replyText(written, { isPlain: false, sources: [], showLife: actions.showLife })
    if (!isDone) reply.replaceChildren(text)
  }

  function answered(call: ToolCall, answer: JsonObject, proofs: readonly ForgottenProof[]): void {
    const card = cards.get(call)
    card?.answered(answer, proofs)
    if (proofs.length > 0) {
      hasForgotten = true
      actions.forgotten(answer['forgotten'] as readonly string[])
      return
    }
    const ids = idsIn(answer)
    if (card !== undefined) mark(card.element, ids)
    if (call.name !== 'remember') return
    mark(asked, ids)
    isAnswer = false
  }

  async function replied({ reply: text, isPlain, offers, promptTokens, toolTokens }: Turn): Promise<void> {
    isDone = true
    const cited = citedIds(text, seen)
    const sources = (await recall.get(cited)).filter((record) => record !== undefined)
    sent?.finish({ promptTokens, toolTokens })
    const content = await replyText(text, { isPlain, sources, showLife: actions.showLife })
    reply.ariaBusy = 'false'
    reply.replaceChildren(content, ...offerButtons(offers), foot(sources))
    if (!hasForgotten) mark(reply, seen)
  }

  /** One press sends the message and takes the buttons away; “No” only takes them away. */
  function offerButtons(offers: readonly Offer[]): readonly HTMLElement[] {
    if (offers.length === 0) return []
    const row = make('p', { class: 'buttons offers' })
    const press = (label: string, answer: () => void) => {
      const click = () => {
        row.remove()
        answer()
      }
      return make('button', { type: 'button', class: 'chip', click }, label)
    }
    row.append(
      ...offers.map(({ label, message }) => press(label, () => actions.send(message))),
      press('No', () => {}),
    )
    return [row]
  }

  function foot(sources: readonly StoredRecord[]): HTMLElement {
    const judged =
      context === undefined || !isAnswer || sources.length === 0
        ? null
        : feedbackButtons(recall, context, sources, actions.learned)
    // A greeting neither quotes nor searches, so its evidence says nothing.
    const brief = sent?.brief ?? null
    // The records came from a search of the agent's own, not from the context that was judged.
    if (brief?.dataset['strength'] === 'none' && sources.length > 0) brief.querySelector('.brief-evidence')?.remove()
    const hasLooked = isAnswer && (sources.length > 0 || calls.isConnected)
    return make('div', { class: 'reply-foot' }, hasLooked ? brief : null, judged)
  }

  function mark(part: HTMLElement, ids: Iterable<string>): void {
    const all = new Set(ids)
    for (const id of all) seen.add(id)
    records.set(part, all)
  }
}

const thinking = 'Thinking …'

function waiting(sentence: string): HTMLElement {
  return make('p', { class: 'quiet' }, sentence)
}

/** Removes every part that mentions one of these records. */
export function removeMentions(turns: HTMLElement, ids: readonly string[]): void {
  const parts = turns.querySelectorAll<HTMLElement>('.asked, .call, .reply, .sent')
  for (const part of parts) {
    const mentioned = records.get(part)
    if (mentioned === undefined || !ids.some((id) => mentioned.has(id))) continue
    records.delete(part)
    const isItem = part.tagName === 'LI'
    const placeholder = make(
      isItem ? 'li' : 'p',
      { class: 'taken-out quiet' },
      'Removed: it mentioned a forgotten record.',
    )
    part.replaceWith(placeholder)
  }
}

const records = new WeakMap<HTMLElement, ReadonlySet<string>>()

/** `remember` and `why` answer with one id, `recall` and `about` with lists of records. */
function idsIn({ id, ...lists }: JsonObject): readonly string[] {
  const records = [lists['records'], lists['current'], lists['earlier'], lists['upcoming']].flat()
  const listed = (records as readonly ({ readonly id: string } | undefined)[]).flatMap((record) => record?.id ?? [])
  return typeof id === 'string' ? [id, ...listed] : listed
}
