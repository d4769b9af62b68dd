/**
 * Lists notes: in the chosen order, or the hits of a question while the user types. The answer is updated when notes change
 * in any tab. Without evidence it says so, and hides the hits until the user opens them.
 */
import type { Hit, Recall, RecallResult } from 'scrubjay'
import { counted } from '../../shared/format.ts'
import { explainError } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/dom.ts'
import { createReadings } from '../../shared/readings.ts'
import { titleFirst } from '../../shared/title-first.ts'
import { listenToTyping, prefixOf, type Typed } from '../../shared/typing.ts'
import { hasWordFrom, lastWord } from '../model/begun-word.ts'
import { namesOf } from '../model/note.ts'
import type { NoteIndex } from '../model/note-index.ts'
import { sortNotes, timeOf } from '../model/sort-notes.ts'
import { nearHits } from '../../shared/record/near-hits.ts'
import { createNoteList } from './note-list.ts'
import type { Listed } from './note-row.ts'
import { createSortChoice } from './sort-choice.ts'
import { createTagRow } from './tag-row.ts'
import { createVerdict } from './verdict.ts'

export interface Finder {
  /** Asks the text of the box. */
  ask(): void
  /** Marks the open note; null: none. */
  mark(id: string | null): void
}

const pageLength = 40
const maxHits = 30

export function createFinder(recall: Recall, index: NoteIndex): Finder {
  const box = partById('query', HTMLInputElement)
  const heading = partById('list-heading')
  const verdict = createVerdict(partById('verdict'))
  const readings = createReadings(recall, partById('readings'), 'note', { ask: askText, askAgain: () => ask('whole') })
  const list = createNoteList(partById('hits'))
  const more = partById('more')
  const tags = createTagRow(index, () => {
    partialAnswer = null
    ask('whole')
  })
  const orderOf = createSortChoice(() => ask('whole'))
  let shownCount = pageLength
  let question = ''
  let how: Typed = 'whole'
  /** The question that the rows answer; empty for the newest notes. */
  let shownFor = ''
  /** The question after which Enter was pressed before its answer came; null: none. */
  let opensFirst: string | null = null
  /** Whether weak hits are shown, too. Kept while the same question is answered again. */
  let showsAll = false
  let stop = () => {}
  let removeFailure = () => {}
  /** The last answer while the last word was incomplete. */
  let partialAnswer: RecallResult | null = null
  let deleting = index.deleting().join()

  listenToTyping(box, ask)
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || box.value.trim() === '') return
    if (shownFor !== box.value.trim()) {
      // The rows belong to an earlier question. The first row of the answer is opened when it comes.
      opensFirst = box.value.trim()
      return
    }
    const first = list.first()
    // Without an answer, Enter only asks again.
    if (first === null) return
    event.preventDefault()
    first.click()
  })
  index.onChange(() => {
    tags.show()
    // Notes of an earlier answer may be changed or deleted by now.
    partialAnswer = null
    const now = index.deleting().join()
    if (question === '') showNewest()
    else if (now !== deleting) {
      verdict.clear()
      ask('whole')
    }
    deleting = now
  })
  tags.show()

  return {
    ask: () => ask('whole'),
    mark: list.mark,
  }

  function ask(typed: Typed): void {
    const isSame = question === box.value.trim()
    if (!isSame || typed === 'half') partialAnswer = null
    question = box.value.trim()
    how = typed
    if (!isSame) {
      showsAll = false
      verdict.clear(question !== '')
    }
    document.body.dataset['asked'] = String(question !== '')
    shownCount = pageLength
    stop()
    stop = () => {}
    removeFailure()
    if (question === '') return showNewest()
    const tag = tags.chosen()
    const scope = tag === null ? {} : { tags: { all: [tag] } }
    const query = {
      text: question,
      scope,
      ...prefixOf(typed),
      ...readings.options(question),
      exclude: index.deleting(),
      limit: maxHits,
    }
    let isFirst = true
    const hear = (result: RecallResult) => {
      // A later answer comes after a change of the notes, which may have removed what was shown before.
      if (!isFirst) partialAnswer = null
      isFirst = false
      if (typed === 'half' && isAnswer(result)) partialAnswer = result
      show(result)
    }
    stop = recall.subscribe({ query }, hear, {
      onError: (error) => {
        removeFailure()
        removeFailure = explainError('The question could not be answered.', error)
      },
    })
  }

  function showNewest(): void {
    const tag = tags.chosen()
    const order = orderOf()
    const lines = sortNotes(index.all(), order).filter((line) => tag === null || line.tags.includes(tag))
    const begun = order === 'changed' ? 'Newest notes' : 'Notes'
    const count = index.isComplete() ? counted(lines.length, 'note') : begun
    heading.textContent = lines.length === 0 ? 'No notes yet' : count
    shownFor = ''
    opensFirst = null
    readings.hide()
    list.show(lines.slice(0, shownCount).map((line) => ({ line, at: timeOf(line, order) })))
    const rest = lines.length - shownCount
    more.replaceChildren(...(rest > 0 ? [wideButton(`Show more (${counted(rest, 'note')} left)`, showMore)] : []))
  }

  function showMore(): void {
    shownCount += pageLength
    showNewest()
  }

  function show(result: RecallResult): void {
    const isAnswered = isAnswer(result)
    // Keeps the list that the user was reading, and says that it does not answer the completed question.
    if (!isAnswered && partialAnswer !== null) {
      const begun = partialAnswer.hits.filter(hasWordFrom(lastWord(question)))
      if (begun.length > 0) return showPartial(begun)
    }
    const hits = titleFirst(result.hits, question, ({ record }) => namesOf(record))
    const shown = isAnswered ? nearHits(hits) : []
    const found = `${counted(shown.length, 'note')} found`
    heading.textContent = isAnswered ? found : 'No answer'
    const answer = judge(result, isAnswered, hits[0])
    readings.show({ text: question, result, isAnswered, isHalf: how === 'half' })
    // An answer that the next key replaces is drawn without its reasons.
    const asListed = (hit: Hit): Listed => ({ hit, showsWhy: how === 'whole' })
    list.show((showsAll ? hits : shown).map(asListed))
    const rest = hits.length - shown.length
    const offer = isAnswered ? `Show ${rest} more` : `Show the nearest ${rest} anyway`
    const showAll = () => {
      showsAll = true
      list.show(hits.map(asListed), true)
      more.replaceChildren()
      list.focus(shown.length)
    }
    more.replaceChildren(...(rest === 0 || showsAll ? [] : [wideButton(offer, showAll)]))
    announce(isAnswered ? `${found}. ${answer}` : 'Nothing here answers this.')
    shownFor = question
    // An answer to a word that is still being typed is not the one that was asked for.
    if (how === 'half' || opensFirst !== question) return
    opensFirst = null
    if (isAnswered) list.first()?.click()
  }

  function askText(text: string): void {
    box.value = text
    ask('whole')
    box.focus()
  }

  function showPartial(hits: readonly Hit[]): void {
    const sentence = ` These notes have words that begin with “${lastWord(question)}”.`
    heading.textContent = 'No answer'
    verdict.none(sentence)
    readings.hide()
    list.show(nearHits(hits).map((hit) => ({ hit, showsWhy: true })))
    more.replaceChildren()
    shownFor = question
    opensFirst = null
    announce(`Nothing here answers this.${sentence}`)
  }

  /** Returns the sentence that answers; empty without one. An incomplete word asks for none: the next key would replace it. */
  function judge({ hits, evidence }: RecallResult, isAnswered: boolean, first: Hit | undefined): string {
    if (!isAnswered) verdict.none()
    else if (how === 'half') verdict.clear()
    else if (evidence.strength === 'weak') verdict.weak()
    else if (first !== undefined && first === hits[0]) return verdict.strong(first)
    else verdict.clear()
    return ''
  }
}

function wideButton(text: string, click: () => void): HTMLElement {
  return make('button', { type: 'button', class: 'wide', click }, text)
}

function isAnswer({ hits, evidence }: RecallResult): boolean {
  return hits.length > 0 && evidence.strength !== 'none'
}
