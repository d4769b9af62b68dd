/** Adapts MiniSearch as its documentation sets it up: any word may match, best first. Words only. */
import MiniSearch from 'minisearch'
import { stem } from '../../../../src/core/text/tokenise/stem.ts'
import { questionWords } from '../../../../src/core/text/tokenise/stop-words.ts'
import type { Ask } from '../contender.ts'
import type { Records } from '../load-collection.ts'
import type { Found, Peer } from './peer.ts'

/**
 * `content` leaves question words out of index and questions, the usual advice for natural questions; `stems` also reduces each
 * word by the Porter stemmer that Scrubjay uses, lent to it here.
 */
export function createMiniSearch({ records }: Records, words: 'all' | 'content' | 'stems') {
  const processTerm = { all: null, content: contentTerm, stems: stemmedTerm }[words]
  const index = new MiniSearch<(typeof records)[number]>({
    fields: ['text'],
    ...(processTerm === null ? {} : { processTerm }),
  })
  index.addAll(records)
  const recordById = new Map(records.map((record) => [record.id, record]))
  const idsByTag = new Map<string, Set<string>>()
  for (const { id, tags } of records) {
    for (const tag of tags) idsByTag.set(tag, (idsByTag.get(tag) ?? new Set()).add(id))
  }
  return {
    search({ mode, text, tag }: Ask): Found {
      if (mode !== 'lexical') throw new Error('MiniSearch knows words only')
      const members = tag === null ? undefined : (idsByTag.get(tag) ?? new Set<string>())
      const found = index.search(text, members ? { filter: ({ id }) => members.has(id) } : {}).slice(0, 10)
      const ids = found.map((result) => result.id as string)
      return { ids, records: ids.flatMap((id) => recordById.get(id) ?? []) }
    },
    update(changed) {
      for (const { record } of changed) {
        index.replace(record)
        recordById.set(record.id, record)
      }
    },
    remove(rows) {
      for (const { record } of rows) {
        index.discard(record.id)
        recordById.delete(record.id)
      }
    },
  } satisfies Peer
}

function contentTerm(term: string): string | null {
  const folded = term.toLowerCase()
  return questionWords.has(folded) ? null : folded
}

function stemmedTerm(term: string): string | null {
  const folded = contentTerm(term)
  return folded === null ? null : stem(folded)
}
