/**
 * Makes the records of the sample store from the texts in `year/`: one year of notes, letters, chats, trips and receipts of Mira
 * Sommer, who does not exist. The same texts give the same records.
 */
import { readFileSync } from 'node:fs'
import { readLines, slugOf, timeOf } from './read-lines.mjs'

/** @typedef {import('scrubjay').RecordInput} RecordInput */

/**
 * The day that questions about the sample are asked on, in ms. "Last week" then means the same to every visitor.
 */
export const sampleToday = Date.UTC(2026, 10, 20, 18)

/** @returns {readonly RecordInput[]} records with unique ids, each with the tag `sample` */
export function sampleRecords() {
  const made = [
    ...read('notes').map(note),
    ...read('letters').map(letter),
    ...chatMessages(),
    ...tripEntries(),
    ...read('receipts').map(receipt),
  ]
  /** @type {Map<string, number>} */
  const counts = new Map()
  return made.map(({ id = '', tags = [], ...record }) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return {
      ...record,
      id: count === 1 ? id : `${id}-${count}`,
      tags: ['sample', ...tags],
      source: record.bank ?? null,
    }
  })
}

/** @param {string[]} cells */
function note([date = '', title = '', body = '', tags = '', ...more]) {
  return { ...about('note', 'notes', date, title, tags, more), body }
}

/** @param {string[]} cells */
function letter([date = '', sender = '', title = '', body = '', tags = '', ...more]) {
  return { ...about('letter', 'letters', date, title, tags, more), body, metadata: { from: sender } }
}

/** @param {string[]} cells */
function receipt([date = '', shop = '', items = '', total = '', tags = '', copy]) {
  const when = timeOf(date) + (copy === undefined ? 0 : 1000)
  return {
    id: `receipt/${date}-${slugOf(shop)}`,
    kind: 'receipt',
    bank: 'receipts',
    title: `${shop}, ${total} €`,
    body: items,
    tags: tags.split(' '),
    occurredAt: timeOf(date),
    createdAt: when,
    updatedAt: when,
    metadata: { from: shop },
  }
}

/** @returns {RecordInput[]} one record per message, with its session and position */
function chatMessages() {
  return sections('chats').flatMap(({ head: [when = '', other = '', topic = ''], rows }) => {
    const session = `chat/${when.slice(0, 10)}-${slugOf(other)}`
    return rows.map((line, position) => {
      const [name = ''] = line.split(':', 1)
      const at = timeOf(when) + position * 60_000
      return {
        id: `${session}/${position + 1}`,
        kind: 'message',
        bank: 'chats',
        body: line.slice(name.length + 1).trim(),
        topic,
        session,
        position,
        tags: [],
        occurredAt: at,
        createdAt: at,
        updatedAt: at,
        metadata: { from: name },
      }
    })
  })
}

/** @returns {RecordInput[]} one record per entry of the diary */
function tripEntries() {
  return sections('trips').flatMap(({ head: [trip = '', tag = ''], rows }) =>
    rows.map((line) => {
      const [date = '', place = '', body = ''] = line.split(' | ')
      return { ...about('diary', 'trips', date, place, `trip ${tag}`, []), body, topic: trip }
    }),
  )
}

/**
 * The fields that notes, letters and diary entries share.
 * @param {string} kind
 * @param {string} bank
 * @param {string} date
 * @param {string} title
 * @param {string} tags separated by spaces
 * @param {string[]} more cells such as `status: superseded`
 * @returns {RecordInput}
 */
function about(kind, bank, date, title, tags, more) {
  /** @type {Record<string, string | undefined>} */
  const extra = Object.fromEntries(more.map((cell) => cell.split(': ')))
  const at = timeOf(date)
  return {
    id: `${kind}/${extra['id'] ?? `${date}-${slugOf(title)}`}`,
    kind,
    bank,
    title,
    tags: tags.split(' '),
    occurredAt: at,
    createdAt: at,
    updatedAt: at,
    ...(extra['by'] === undefined
      ? {}
      : { status: /** @type {const} */ ('superseded'), supersededBy: idOf(extra['by']) }),
    ...(extra['until'] === undefined ? {} : { validUntil: timeOf(extra['until']) + 43_200_000 }),
  }
}

/** @param {string} name as written after `by:` */
function idOf(name) {
  const bank = read('letters').some((cells) => cells.includes(`id: ${name}`)) ? 'letter' : 'note'
  return `${bank}/${name}`
}

/** @param {string} name of a file in `year/` */
function textOf(name) {
  return readFileSync(new URL(`year/${name}.txt`, import.meta.url), 'utf8')
}

/**
 * @param {string} name
 * @returns {string[][]} the cells of each line
 */
function read(name) {
  return readLines(textOf(name)).map((line) => line.split(' | '))
}

/**
 * @param {string} name of a file whose sections begin with `## `
 * @returns {{ readonly head: readonly string[], readonly rows: string[] }[]}
 */
function sections(name) {
  return textOf(name)
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...rows] = readLines(section)
      return { head: head.split(' | '), rows }
    })
}
