/**
 * Shows what was read in a question as chips: times, and words that were corrected. A press on a chip searches for the words as they
 * are written; a second press undoes it. The choice is kept until the question changes. If nothing answers and nothing was read,
 * offers the question with near words that records have.
 */
import type { Reading, Recall, RecallQuery, RecallResult } from 'scrubjay'
import { dayRange } from './format.ts'
import { announce, type Child, make } from './dom.ts'
import { nearestQuestion } from './spelling.ts'

export interface Readings {
  /** The options of a question with this text. */
  options(text: string): Pick<RecallQuery, 'times' | 'typos'>
  show(answer: ReadAnswer): void
  hide(): void
}

export interface ReadAnswer {
  /** The question of `result`, as it was asked. */
  readonly text: string
  readonly result: Pick<RecallResult, 'plan'>
  readonly isAnswered: boolean
  /** Whether the last word is still being typed, and so not a mistake yet. */
  readonly isHalf: boolean
}

export interface ReadingsActions {
  /** Asks another question. */
  ask(text: string): void
  /** Asks the same question with other options. */
  askAgain(): void
}

/** What can be switched off. */
type Chip = Extract<Reading, { kind: 'time' | 'typo' }>

/** `what`: the name of a record in this app, such as note. */
export function createReadings(
  recall: Pick<Recall, 'suggest'>,
  line: HTMLElement,
  what: string,
  { ask, askAgain }: ReadingsActions,
): Readings {
  let question = ''
  let read: readonly Chip[] = []
  let off: readonly Chip[] = []
  let turn = 0

  return {
    options(text) {
      if (text !== question) off = []
      question = text
      const isOff = (kind: Chip['kind']) => off.some((one) => one.kind === kind)
      return { ...(isOff('time') && { times: 'off' }), ...(isOff('typo') && { typos: 'off' }) }
    },
    show({ text, result, isAnswered, isHalf }) {
      const mine = ++turn
      const isChip = (one: Reading): one is Chip => one.kind === 'time' || (one.kind === 'typo' && !isHalf)
      read = result.plan.read.filter(isChip)
      const chips = [...read.map(readChip), ...off.map(offChip)]
      draw(chips)
      if (!isAnswered && !isHalf && chips.length === 0) void offerNearest(text, mine)
    },
    hide() {
      turn++
      draw([])
    },
  }

  async function offerNearest(text: string, mine: number): Promise<void> {
    // A call that fails, for example while the store closes, only leaves the line empty.
    const near = await nearestQuestion(recall, text).catch(() => null)
    if (near === null || mine !== turn) return
    draw(['Did you mean ', make('button', { type: 'button', class: 'small', click: () => ask(near) }, near), '?'])
  }

  function draw(content: readonly Child[]): void {
    const hadFocus = line.contains(document.activeElement)
    line.replaceChildren(...content.filter((child) => child !== null))
    line.hidden = content.length === 0
    if (hadFocus) line.querySelector('button')?.focus()
  }

  function readChip(one: Chip): HTMLElement {
    const click = () => {
      off = [...off, ...read.filter(({ kind }) => kind === one.kind)]
      announce('Searching for the words as they are written.')
      askAgain()
    }
    const title = 'Search for the words as they are written'
    return make(
      'button',
      { type: 'button', class: 'reading', 'aria-pressed': 'true', title, click },
      ...readAs(one, what),
      make('span', { class: 'reading-sign', 'aria-hidden': 'true' }, '×'),
    )
  }

  function offChip(one: Chip): HTMLElement {
    const click = () => {
      off = off.filter(({ kind }) => kind !== one.kind)
      askAgain()
    }
    return make(
      'button',
      { type: 'button', class: 'reading', 'aria-pressed': 'false', title: 'Undo', click },
      `“${one.text}” as written`,
      make('span', { class: 'reading-sign', 'aria-hidden': 'true' }, '↺'),
    )
  }
}

/** In words. */
function readAs(one: Chip, what: string): readonly Child[] {
  return one.kind === 'time'
    ? [`${one.text}: `, make('b', {}, dayRange(one.from, one.before))]
    : [`No ${what} has “${one.text}”. Read as `, make('b', {}, one.as)]
}

/** Whether the best hit is of a time that the question names. */
export function isOfTime({ hits }: Pick<RecallResult, 'hits'>): boolean {
  return hits[0]?.contributions.some(({ signal, value }) => signal === 'time' && value === 1) ?? false
}

/** Whether the question names times and nothing else, so that the answer lists their records. */
export function namesOnlyTimes({ plan }: Pick<RecallResult, 'plan'>): boolean {
  return plan.channels.recent.ran && plan.read.some(({ kind }) => kind === 'time')
}
