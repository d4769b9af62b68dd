/** A text box for JSON with line numbers. A problem is shown below its line, next to the field that it names. */
import { make } from '../../../demo/shared/dom.ts'
import { lineOf, type Problem } from './locate.ts'

export interface Editor {
  readonly text: () => string
  readonly write: (text: string) => void
  /** null: the text has no problem. */
  readonly mark: (problem: Problem | null) => void
}

export function createEditor(parent: HTMLElement, labelledBy: string, changed: () => void): Editor {
  const problemId = `${parent.id}-problem`
  const numbers = make('div', { class: 'numbers', 'aria-hidden': 'true' })
  const box = make('textarea', {
    wrap: 'off',
    spellcheck: 'false',
    autocapitalize: 'none',
    autocomplete: 'off',
    'aria-labelledby': labelledBy,
    'aria-describedby': problemId,
  })
  const bubble = make('p', { class: 'problem', id: problemId, role: 'status' })
  const under = make('span', { class: 'faulty-line', hidden: true })
  const sheet = make('div', { class: 'sheet' }, under, box, bubble)
  const editor = make('div', { class: 'editor' }, numbers, sheet)
  parent.append(editor)
  bubble.addEventListener('click', () => box.focus())
  box.addEventListener('input', () => {
    fit()
    changed()
  })

  return { text: () => box.value, write, mark }

  function write(text: string): void {
    box.value = text
    mark(null)
    fit()
  }

  function fit(): void {
    const count = box.value.split('\n').length
    if (box.rows === count && numbers.childElementCount === count) return
    box.rows = count
    numbers.replaceChildren(...Array.from({ length: count }, (_, i) => make('span', {}, String(i + 1))))
  }

  function mark(problem: Problem | null): void {
    box.toggleAttribute('aria-invalid', problem !== null)
    bubble.textContent = problem?.message ?? ''
    under.hidden = problem === null
    for (const one of numbers.querySelectorAll('.faulty')) one.classList.remove('faulty')
    if (problem === null) return
    const line = lineOf(box.value, problem.place.from)
    numbers.children[line]?.classList.add('faulty')
    sheet.style.setProperty('--line', String(line))
    bubble.textContent = `Line ${line + 1}: ${problem.message}`
    editor.scrollTop += Math.max(0, bubble.getBoundingClientRect().bottom - editor.getBoundingClientRect().bottom + 2)
  }
}
