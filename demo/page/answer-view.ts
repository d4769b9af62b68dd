/** Shows one answer: its evidence, its hits and how it came about. Replaces what stood there in one step. */
import type { Recall } from 'scrubjay'
import { evidenceBanner } from './evidence.ts'
import { counted } from './format.ts'
import { createHitList } from './hit-list.ts'
import { createHow } from './how.ts'
import { explainError } from './notice.ts'
import { announce, make, partById } from './parts.ts'
import type { Answer, AnswerView } from './search.ts'

export interface AnswerActions {
  showMore(): Promise<void>
  askFor(text: string): void
  forgotten(): void
}

export function createAnswerView(recall: Recall, actions: AnswerActions): AnswerView {
  const heading = partById('answer-heading')
  const evidence = partById('evidence')
  const hits = partById('hits')
  const more = partById('more')
  const hitList = createHitList(recall, actions.forgotten)
  const how = createHow()
  let removeFailure = () => {}

  return {
    show(answer) {
      removeFailure()
      const { result, text } = answer
      const isListing = text.trim() === ''
      const isAnswered = isListing || result.evidence.strength !== 'none'
      heading.textContent = headingOf(answer)
      evidence.replaceChildren(isListing ? examples(actions.askFor) : evidenceBanner(result))
      hitList.show(hits, result.hits)
      // What answers nothing is kept out of sight until asked for.
      hits.hidden = !isAnswered
      more.replaceChildren(...(isAnswered ? moreButton(answer) : nearestAnyway(result.hits.length)))
      how.show(answer)
      announce(spoken(answer))
    },
    fail(error) {
      // One notice, however many keys are pressed while the engine does not answer.
      removeFailure()
      removeFailure = explainError('This question could not be answered.', error)
    },
  }

  function moreButton({ result, limit }: Answer): HTMLElement[] {
    const waiting = result.ledger.filter(({ stage }) => stage === 'limit').length
    if (result.hits.length < limit || waiting === 0) return []
    const click = () => void actions.showMore()
    return [
      make('button', { type: 'button', class: 'wide', click }, `Show more of ${counted(waiting, 'further record')}`),
    ]
  }

  function nearestAnyway(count: number): HTMLElement[] {
    if (count === 0) return []
    const click = () => {
      hits.hidden = false
      more.replaceChildren()
      hits.querySelector<HTMLElement>('.hit')?.focus()
    }
    return [make('button', { type: 'button', class: 'wide', click }, `Show the nearest ${count} anyway`)]
  }
}

function headingOf({ text, result }: Answer): string {
  if (text.trim() === '') return result.hits.length === 0 ? 'No records here' : 'Newest records'
  if (result.hits.length === 0 || result.evidence.strength === 'none') return 'No answer'
  return counted(result.hits.length, 'hit')
}

function spoken({ text, result }: Answer): string {
  if (text.trim() === '') return `${counted(result.hits.length, 'newest record')} shown.`
  if (result.evidence.strength === 'none') return 'Nothing here answers this.'
  return `${counted(result.hits.length, 'hit')}, evidence ${result.evidence.strength}.`
}

const questions = [
  'who decides what is selected',
  'why is the order total',
  "Cannot find name 'setTimeout'",
  'what if there is no OPFS',
  'src/core/text/stem.ts',
  'best recipe for sourdough bread',
] as const

function examples(askFor: (text: string) => void): HTMLElement {
  const buttons = questions.map((text) =>
    make('button', { type: 'button', class: 'chip', click: () => askFor(text) }, text),
  )
  return make(
    'div',
    { class: 'facet', role: 'group', 'aria-label': 'Questions to try' },
    make('span', { class: 'facet-title' }, 'Try'),
    make('div', { class: 'chips' }, ...buttons),
  )
}
