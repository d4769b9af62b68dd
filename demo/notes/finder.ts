/**
 * Lists notes: the newest first, or the hits of a question while the user types. The answer is updated when notes change
 * in any tab. Without evidence it says so, and hides the hits until the user opens them.
 */
import type { Hit, Recall, RecallResult } from 'scrubjay'
import { barList } from '../shared/bars.ts'
import { counted, day, moment } from '../shared/format.ts'
import { markedText, markedTitle, passageOf } from '../shared/marked-text.ts'
import { explainError } from '../shared/notice.ts'
import { announce, hidden, make, partById } from '../shared/dom.ts'
import { createReadings } from '../shared/readings.ts'
import { titleFirst } from '../shared/title-first.ts'
import { listenToTyping, prefixOf, type Typed } from '../shared/typing.ts'
import { hasWordFrom, lastWord } from './model/begun-word.ts'
import { lineOf, namesOf, type NoteLine } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'
import { nearHits } from '../shared/record/near-hits.ts'
import { plainPassage } from '../shared/record/plain-passage.ts'
import { noteHref } from './route.ts'
import { showRows } from './show-rows.ts'
import { createTagRow } from './tag-row.ts'

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
  const verdict = partById('verdict')
  const readings = createReadings(recall, partById('readings'), 'note', { ask: askText, askAgain: () => ask('whole') })
  const list = partById('hits')
  const more = partById('more')
  const tags = createTagRow(index, () => {
    partialAnswer = null
    ask('whole')
  })
  let openId: string | null = null
  let shownCount = pageLength
  let question = ''
  let how: Typed = 'whole'
  /** The question that the rows answer; empty for the newest notes. */
  let shownFor = ''
  /** The question after which Enter was pressed before its answer came; null: none. */
  let opensFirst: string | null = null
  /** Whether weak hits are shown, too. Kept while the same question is answered again. */
  let showsAll = false
  const newestRows = new WeakMap<NoteLine, HTMLElement>()
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
    const first = list.querySelector<HTMLElement>('.hit')
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
    else if (now !== deleting) ask('whole')
    deleting = now
  })
  tags.show()

  return {
    ask: () => ask('whole'),
    mark(id) {
      openId = id
      for (const row of list.querySelectorAll<HTMLElement>('.hit')) markRow(row)
    },
  }

  function ask(typed: Typed): void {
    const isSame = question === box.value.trim()
    if (!isSame || typed === 'half') partialAnswer = null
    question = box.value.trim()
    how = typed
    if (!isSame) showsAll = false
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
      explain: true,
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
    const lines = index.all().filter((line) => tag === null || line.tags.includes(tag))
    const count = index.isComplete() ? counted(lines.length, 'note') : 'Newest notes'
    heading.textContent = lines.length === 0 ? 'No notes yet' : count
    verdict.replaceChildren()
    shownFor = ''
    opensFirst = null
    readings.hide()
    replaceRows(lines.slice(0, shownCount).map(newestRow))
    const rest = lines.length - shownCount
    more.replaceChildren(...(rest > 0 ? [wideButton(`Show more (${counted(rest, 'note')} left)`, showMore)] : []))
  }

  /** The row of a line is made once: a change of one note must not draw all rows again. */
  function newestRow(line: NoteLine): HTMLElement {
    const made = newestRows.get(line) ?? row(line, null)
    newestRows.set(line, made)
    const link = made.querySelector<HTMLElement>('.hit')
    if (link !== null) markRow(link)
    return made
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
    verdict.replaceChildren(...(isAnswered ? [] : [noAnswer()]))
    readings.show({ text: question, result, isAnswered, isHalf: how === 'half' })
    replaceRows(rowsOf(showsAll ? hits : shown))
    const rest = hits.length - shown.length
    const offer = isAnswered ? `Show ${rest} more` : `Show the nearest ${rest} anyway`
    const showAll = () => {
      showsAll = true
      replaceRows(rowsOf(hits))
      more.replaceChildren()
      list.querySelectorAll<HTMLElement>('.hit')[shown.length]?.focus()
    }
    more.replaceChildren(...(rest === 0 || showsAll ? [] : [wideButton(offer, showAll)]))
    announce(isAnswered ? `${found}.` : 'Nothing here answers this.')
    shownFor = question
    // An answer to a word that is still being typed is not the one that was asked for.
    if (how === 'half' || opensFirst !== question) return
    opensFirst = null
    if (isAnswered) list.querySelector<HTMLElement>('.hit')?.click()
  }

  function askText(text: string): void {
    box.value = text
    ask('whole')
    box.focus()
  }

  function showPartial(hits: readonly Hit[]): void {
    const sentence = ` These notes have words that begin with “${lastWord(question)}”.`
    heading.textContent = 'No answer'
    verdict.replaceChildren(noAnswer(sentence))
    readings.hide()
    replaceRows(rowsOf(nearHits(hits)))
    more.replaceChildren()
    shownFor = question
    opensFirst = null
    announce(`Nothing here answers this.${sentence}`)
  }

  function rowsOf(hits: readonly Hit[]): readonly HTMLElement[] {
    return hits.map((hit) => row(lineOf(hit.record), hit))
  }

  function noAnswer(more = ''): HTMLElement {
    const verdict = make('strong', {}, 'Nothing here answers this.')
    return make('p', { class: 'evidence', 'data-strength': 'none' }, verdict, more)
  }

  function row(line: NoteLine, hit: Hit | null): HTMLElement {
    const title = hit === null ? [line.title] : markedTitle(hit, line.title)
    const link = make('a', { class: 'hit', href: noteHref(line.id), 'data-id': line.id }, ...title)
    const passage = hit === null ? null : plainPassage(passageOf(hit, line.title))
    markRow(link)
    return make(
      'li',
      { class: 'row' },
      make('h3', {}, link),
      make(
        'p',
        { class: 'snippet' },
        ...(passage === null || passage.marks.length === 0 ? [line.excerpt] : markedText(passage)),
      ),
      make(
        'p',
        { class: 'hit-facts' },
        make(
          'time',
          { datetime: new Date(line.updatedAt).toISOString(), title: moment(line.updatedAt) },
          day(line.updatedAt),
        ),
        ...line.tags.slice(0, 4).map((one) => make('span', { class: 'tag' }, hidden('tag '), one)),
      ),
      hit === null || hit.contributions.length === 0 ? null : whyFold(hit, line),
    )
  }

  function whyFold({ contributions }: Hit, { title }: NoteLine): HTMLElement {
    return make(
      'details',
      { class: 'row-why' },
      make('summary', {}, 'Why', hidden(`: ${title}`)),
      barList(contributions),
    )
  }

  function markRow(link: HTMLElement): void {
    if (link.dataset['id'] === openId) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }

  /** Keeps focus and open folds while answers change. */
  function replaceRows(rows: readonly HTMLElement[]): void {
    const { activeElement } = document
    const focused = activeElement instanceof HTMLElement && list.contains(activeElement) ? activeElement : null
    const focusedId = focused?.closest('li')?.querySelector<HTMLElement>('.hit')?.dataset['id']
    const unfolded = new Set(
      [...list.querySelectorAll('details[open]')].map(
        (fold) => fold.closest('li')?.querySelector<HTMLElement>('.hit')?.dataset['id'],
      ),
    )
    showRows(list, rows)
    if (focusedId === undefined && unfolded.size === 0) return
    for (const link of list.querySelectorAll<HTMLElement>('.hit')) {
      const { id } = link.dataset
      const fold = link.closest('li')?.querySelector('details')
      if (fold && unfolded.has(id)) fold.open = true
      if (id !== undefined && id === focusedId)
        (focused?.localName === 'summary' ? (fold?.querySelector('summary') ?? link) : link).focus()
    }
  }
}

function wideButton(text: string, click: () => void): HTMLElement {
  return make('button', { type: 'button', class: 'wide', click }, text)
}

function isAnswer({ hits, evidence }: RecallResult): boolean {
  return hits.length > 0 && evidence.strength !== 'none'
}
