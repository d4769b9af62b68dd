/** Shows one answer: its evidence, its hits and how it was computed. Replaces the previous answer in one step. */
import type { Hit, Recall, RecallQuery, StoredRecord } from 'scrubjay'
import { announce, make, partById } from '../../shared/dom.ts'
import { type Answered, evidenceBanner } from '../../shared/evidence.ts'
import { counted } from '../../shared/format.ts'
import { explainError } from '../../shared/notice.ts'
import { isOfTime, namesOnlyTimes, type Readings } from '../../shared/readings.ts'
import { lacksName } from '../../shared/spelling.ts'
import { nearHits } from '../../shared/record/near-hits.ts'
import { isNamed, titleFirst } from '../../shared/title-first.ts'
import { createAssemblePanel } from '../assemble/assemble-panel.ts'
import { createDrawer } from '../shown/drawer.ts'
import { createWhyBox } from '../why/why-box.ts'
import { emptyStore } from './empty-store.ts'
import { showHits } from './hit-list.ts'
import { createHow } from './how.ts'
import { ordered } from './order.ts'
import { type Answer, type AnswerView, pageLength } from './search.ts'
import { warningList } from './warnings.ts'

export interface AnswerActions {
  showMore(): Promise<void>
  remove(record: StoredRecord): void
  loadSample(): Promise<void>
  /** The records that a record replaces. */
  replaced(id: string): readonly StoredRecord[]
  /** Whether the sample is asked, not the user's own records. */
  isSample(): boolean
}

export interface PageView extends AnswerView {
  /** The context must not show a deleted record. */
  forgotten(): void
  /** Explains a record in the answer that is shown now, or in the next one. */
  explain(id: string, from: HTMLElement): void
  /** Drops the explanation, as its record is not asked any more. */
  clearWhy(): void
  /** Closes the drawer where it covers the page; true if it did. */
  uncover(): boolean
  /** Shows where files are added, and what was found in them. */
  showImport(): void
}

export function createAnswerView(recall: Recall, readings: Readings, actions: AnswerActions): PageView {
  const heading = partById('answer-heading')
  const evidence = partById('evidence')
  const hits = partById('hits')
  const more = partById('more')
  const warnings = partById('warnings')
  let last: Answer | undefined
  const drawer = createDrawer(() => fillDrawer())
  const whyBox = createWhyBox(recall, {
    remove: actions.remove,
    open: () => drawer.open('why'),
    isVisible: () => drawer.visible() === 'why',
    uncover: drawer.uncover,
  })
  const assembling = createAssemblePanel(recall)
  const how = createHow(recall, whyBox.explain)
  let removeFailure = () => {}

  return {
    show(raw) {
      removeFailure()
      const answer = judged(raw)
      last = answer
      const { result, text, policy, order } = answer
      const isListing = text.trim() === '' || namesOnlyTimes(result)
      const isAnswered = isListing || !isUnanswered(answer)
      const isAsked = text.trim() !== ''
      const isEmpty = !isAsked && result.hits.length === 0
      heading.textContent = headingOf(answer)
      // The cards shrink, so that the first hit is high on the screen.
      partById('stories').dataset['asked'] = String(isAsked)
      partById('stories').hidden = isEmpty && actions.isSample()
      partById('about-sample').hidden = isAsked || isEmpty || !actions.isSample()
      evidence.replaceChildren(
        ...(isEmpty
          ? [emptyStore(actions.isSample(), actions.loadSample, showImport)]
          : isListing
            ? []
            : [evidenceBanner({ ...result, ...aboutBest(result) }, policy)]),
      )
      warnings.replaceChildren(...(isAnswered ? warningList(result, whyBox.explain) : []))
      const isExact = (hit: Hit) => !isListing && isNamed(hit, text)
      showHits(hits, ordered(shownHits(answer), order, text), {
        why: whyBox.explain,
        replaced: actions.replaced,
        isExact,
        isRanked: !isListing,
      })
      partById('answer-order').hidden = isListing || !isAnswered
      if (isAsked) readings.show({ ...answer, isAnswered })
      else readings.hide()
      // Hits without evidence stay hidden until the user opens them.
      hits.hidden = !isAnswered
      more.replaceChildren(...(isAnswered ? moreButton(answer) : nearestAnyway(result.hits.length)))
      whyBox.asked(answer.query, result.receipt.storeRevision)
      fillDrawer()
      announce(spoken(answer))
    },
    forgotten: () => drawer.visible() === 'context' && assembling.refresh(),
    explain: whyBox.explain,
    clearWhy: whyBox.clear,
    uncover: drawer.uncover,
    showImport,
    fail(error) {
      // Shows one notice, even if several questions in a row fail.
      removeFailure()
      removeFailure = explainError('The question could not be answered.', error)
    },
  }

  function showImport(): void {
    drawer.open('engine')
    partById('import').scrollIntoView({ block: 'nearest' })
  }

  /** Only the visible tab is drawn: every key press brings a new answer. */
  function fillDrawer(): void {
    if (last === undefined) return
    const tab = drawer.visible()
    if (tab === 'why') whyBox.refresh()
    else if (tab === 'context') assembling.asked(last.query satisfies RecallQuery)
    else if (tab === 'engine') how.show(last)
  }

  function moreButton(answer: Answer): HTMLElement[] {
    const { result, limit } = answer
    const isCut = shownHits(answer).length < result.hits.length
    if (!isCut && (result.hits.length < limit || limit >= result.plan.scope)) return []
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

/** Without a name that the question asks for, the records do not answer it. */
function judged(answer: Answer): Answer {
  const { result, text } = answer
  if (result.evidence.strength !== 'weak' || !lacksName(text, result.plan.read, result.hits)) return answer
  return { ...answer, result: { ...result, evidence: { ...result.evidence, strength: 'none' } } }
}

/**
 * Whether to hide the hits. Evidence is calibrated for `balanced`. Other policies rank by their own rules, so their hits are
 * always shown, and the banner shows the evidence.
 */
function isUnanswered({ result, policy }: Pick<Answer, 'result' | 'policy'>): boolean {
  return result.hits.length === 0 || (policy === 'balanced' && result.evidence.strength === 'none')
}

/** The first page leaves out hits that are far behind the best one. Scores of other policies and of lists have no such scale. */
function shownHits({ result, text, limit, policy }: Answer): readonly Hit[] {
  const isRanked = text.trim() !== '' && !namesOnlyTimes(result) && policy === 'balanced'
  const hasEvidence = result.evidence.strength !== 'none'
  return isRanked && hasEvidence && limit === pageLength ? nearHits(titleFirst(result.hits, text)) : result.hits
}

function aboutBest(result: Answer['result']): Pick<Answered, 'hasCandidates' | 'isOfTime'> {
  return {
    hasCandidates: Object.values(result.plan.channels).some(({ matched }) => matched > 0),
    isOfTime: isOfTime(result),
  }
}

function headingOf(answer: Answer): string {
  const { text, result } = answer
  if (text.trim() === '') return result.hits.length === 0 ? 'No records here' : 'Newest records'
  if (isUnanswered(answer)) return 'No answer'
  if (namesOnlyTimes(result)) return `${counted(result.plan.channels.recent.matched, 'record')} of this time`
  return counted(shownHits(answer).length, 'hit')
}

function spoken(answer: Answer): string {
  const { text, result, policy, before } = answer
  if (text.trim() === '') return `${counted(result.hits.length, 'newest record')} shown.`
  if (isUnanswered({ result, policy })) return 'Nothing here answers this.'
  const under = before === null ? '' : ` under ${policy}`
  return `${counted(shownHits(answer).length, 'hit')}${under}, evidence ${result.evidence.strength}.`
}
