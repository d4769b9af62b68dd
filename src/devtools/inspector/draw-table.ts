/** Draws a table that scrolls if it is too wide, also with the keyboard. */
import type { Table } from '../report/tables.ts'
import { element } from './element.ts'

export function drawTable({ caption, columns, rows }: Table): HTMLElement {
  const head = columns.map(({ name, isNumber }) => element('th', { scope: 'col', class: classOf(isNumber) }, name))
  const body = rows.map((row) =>
    element('tr', {}, ...row.map((cell, i) => element('td', { class: classOf(columns[i]?.isNumber ?? false) }, cell))),
  )
  if (rows.length === 0) return element('p', { class: 'caption' }, caption)
  return element(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...head)),
      element('tbody', {}, ...body),
    ),
  )
}

function classOf(isNumber: boolean): string | undefined {
  return isNumber ? 'number' : undefined
}
