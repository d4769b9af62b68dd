/** Reads the history of a browser as JSON: Chrome's in Google Takeout, Safari's export, and lists of extensions. Visits of one page become one record. */
import { sha256Hex } from '../../core/text/hash/sha256.ts'
import { jsonParts } from '../files/json-parts.ts'
import { readTime } from '../notes/dates.ts'
import { left, type Reader } from '../reading/reader.ts'
import { isObject, type Json, textOf } from '../tables/json.ts'

interface Page {
  readonly url: string
  title: string
  first: number | undefined
  last: number | undefined
  visits: number
}

const timeKeys = [
  'time_usec',
  'lastVisitTime',
  'visitTime',
  'visit_time',
  'last_visit_time',
  'last_visited',
  'visitedAt',
]

export const history: Reader = {
  kind: 'history',
  recognises: ({ text }) =>
    /^\s*[[{]/.test(text) && /"url"\s*:/.test(text) && timeKeys.some((key) => text.includes(`"${key}"`)),
  async *read({ texts }, { offsetAt }) {
    const pages = new Map<string, Page>()
    for await (const { key, index, value, problem } of jsonParts(texts())) {
      const place = `${key ?? 'visit'} ${(index ?? 0) + 1}`
      if (problem !== null) yield left('damaged', place, problem)
      else if (index === null && (key === 'metadata' || !isObject(value))) yield left('unknown', key, 'must be a visit')
      else if (!isObject(value)) yield left('damaged', place, 'must be an object')
      else {
        const url = textOf(value['url'])
        if (url === '') {
          yield left('damaged', place, 'has no address')
          continue
        }
        const time = timeOf(value, offsetAt)
        const page = pages.get(url)
        if (page === undefined)
          pages.set(url, { url, title: textOf(value['title']), first: time, last: time, visits: 1 })
        else {
          if (page.title === '') page.title = textOf(value['title'])
          page.visits++
          if (time !== undefined) {
            page.first = Math.min(page.first ?? time, time)
            page.last = Math.max(page.last ?? time, time)
          }
          yield { joined: 1 }
        }
      }
    }
    for (const { url, title, first, last, visits } of pages.values())
      yield {
        id: `visit:${url.length > 400 ? sha256Hex(url) : url}`,
        kind: 'visit',
        title: title === '' ? url : title,
        body: url,
        source: url.slice(0, 1_000),
        ...(first === undefined ? {} : { createdAt: first, updatedAt: last ?? first }),
        metadata: { url: url.slice(0, 4_000), visits },
      }
  },
}

function timeOf(value: Json, offsetAt: Parameters<typeof readTime>[1]): number | undefined {
  for (const key of timeKeys) {
    const ms = readTime(value[key], offsetAt)
    if (ms === undefined) continue
    // Chrome's own files count from 1601.
    return ms > 1.1e13 && ms < 1.6e13 ? ms - 11_644_473_600_000 : ms
  }
  return undefined
}
