/** Shows one answer: its evidence, its hits and how it was computed. Replaces the previous answer in one step. */
import type { Hit, Recall } from 'scrubjay'
import { evidenceBanner } from '../../shared/evidence.ts'
import { counted } from '../../shared/format.ts'
import { explainError } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/parts.ts'
import { createAssemblePanel } from '../assemble/assemble-panel.ts'
import { createWhyBox } from '../why/why-box.ts'
import { createContextPanel } from './context-panel.ts'
import { emptyStore } from './empty-store.ts'
import { createHitList } from './hit-list.ts'
import { createHow } from './how.ts'
import type { Answer, AnswerView } from './search.ts'
import { warningList } from './warnings.ts'

export interface AnswerActions {
  showMore(): Promise<void>
  askFor(text: string): void
  remove(hit: Hit): void
  loadSample(): Promise<void>
}

export function createAnswerView(recall: Recall, actions: AnswerActions): AnswerView & { forgotten(): void } {
  const heading = partById('answer-heading')
  const evidence = partById('evidence')
  const hits = partById('hits')
  const more = partById('more')
  const warnings = partById('warnings')
  const whyBox = createWhyBox(recall)
  const context = createContextPanel()
  const assembling = createAssemblePanel(recall)
  const hitList = createHitList({ remove: actions.remove, why: whyBox.explain })
  const how = createHow(recall, whyBox.explain)
  let removeFailure = () => {}

  return {
    show(answer) {
      removeFailure()
      const { result, text, policy } = answer
      const isListing = text.trim() === ''
      const isAnswered = isListing || !isUnanswered(answer)
      heading.textContent = headingOf(answer)
      evidence.replaceChildren(
        isListing ? beginning(answer) : evidenceBanner({ ...result, hasCandidates: hasCandidates(result) }, policy),
      )
      warnings.replaceChildren(...(isAnswered ? warningList(result, whyBox.explain) : []))
      hitList.show(hits, result.hits, answer.before)
      // Hits without evidence stay hidden until the user opens them.
      hits.hidden = !isAnswered
      more.replaceChildren(...(isAnswered ? moreButton(answer) : nearestAnyway(result.hits.length)))
      how.show(answer)
      context.show(result)
      assembling.asked(answer.query)
      whyBox.asked(answer.query, result.receipt.storeRevision)
      announce(spoken(answer))
    },
    // The context must not show a deleted record.
    forgotten: assembling.refresh,
    fail(error) {
      // Shows one notice, even if several questions in a row fail.
      removeFailure()
      removeFailure = explainError('The question could not be answered.', error)
    },
  }

  function beginning({ result, query: { scope } }: Answer): HTMLElement {
    const isEmpty = result.hits.length === 0 && Object.keys(scope ?? {}).length === 0
    return isEmpty ? emptyStore(actions.loadSample) : examples(actions.askFor)
  }

  function moreButton({ result, limit }: Answer): HTMLElement[] {
    if (result.hits.length < limit || limit >= result.plan.scope) return []
    const click = () => void actions.showMore()
    return [make('button', { type: 'button', class: 'wide', click }, 'Show more')]
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

/**
 * Whether to hide the hits. Evidence is calibrated for `balanced`. Other policies rank by their own rules, so their hits are
 * always shown, and the banner shows the evidence.
 */
function isUnanswered({ result, policy }: Pick<Answer, 'result' | 'policy'>): boolean {
  return result.hits.length === 0 || (policy === 'balanced' && result.evidence.strength === 'none')
}

function hasCandidates({ plan }: Answer['result']): boolean {
  return Object.values(plan.channels).some(({ matched }) => matched > 0)
}

function headingOf(answer: Answer): string {
  const { text, result } = answer
  if (text.trim() === '') return result.hits.length === 0 ? 'No records here' : 'Newest records'
  if (isUnanswered(answer)) return 'No answer'
  return counted(result.hits.length, 'hit')
}

function spoken({ text, result, policy, before }: Answer): string {
  if (text.trim() === '') return `${counted(result.hits.length, 'newest record')} shown.`
  if (isUnanswered({ result, policy })) return 'Nothing here answers this.'
  const under = before === null ? '' : ` under ${policy}`
  return `${counted(result.hits.length, 'hit')}${under}, evidence ${result.evidence.strength}.`
}

const questions = [
  'who decides what is selected',
  'why is the order total',
  "Cannot find name 'setTimeout'",
  'a stemmer that cuts plurals too short',
  'what if there is no OPFS',
  'src/core/text/tokenise/stem.ts',
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
