/**
 * Keeps one line per note in memory, and updates it when notes change in any tab. Serves the list of newest notes, tags and
 * links. Searching and ranking is left to the engine.
 */
import type { EngineEvent, ListOrder, Recall } from 'scrubjay'
import type { Deletions } from '../../shared/delete/deletions.ts'
import { titlesOf } from './links.ts'
import { titleKey } from '../../shared/title-first.ts'
import { lineOf, type NoteLine, pinTag } from './note.ts'

export interface NoteIndex {
  /** Newest change first. */
  all(): readonly NoteLine[]
  byId(id: string): NoteLine | undefined
  /** The newest note of that title. */
  byTitle(title: string): NoteLine | undefined
  /** The note to which a link leads, by title, alias or file name. */
  byLink(address: string): NoteLine | undefined
  /** Notes that link to this one, the newest first. */
  linkingTo(line: NoteLine): readonly NoteLine[]
  /** The most frequent first. */
  tags(): readonly { readonly tag: string; readonly count: number }[]
  /** Ids of notes that are in the trash or being deleted. The index leaves them out, and queries must exclude them. */
  deleting(): readonly string[]
  /** Notes in the trash, the last deleted first. */
  trashed(): readonly NoteLine[]
  /** `listener` receives the ids of changed notes; null: any note may have changed. */
  onChange(listener: (ids: ReadonlySet<string> | null) => void): void
  /** Resolves when every note is read. Until then only the first are known, so links and tags may be missing. */
  readonly complete: Promise<void>
  isComplete(): boolean
  /** Reads notes that were just written, without waiting for the event. */
  refresh(ids: readonly string[]): Promise<void>
}

/** Above this many changes, reading all notes is faster than reading each. */
const maxRead = 1000

/** Notes of one read: larger reads would block the page while the user types. */
const pageLength = 200

/** Notes of the first read: enough for the list that the user sees first. */
const firstRead = 60

/** Resolves when the notes are read that come first in this order. */
export async function createNoteIndex(
  recall: Recall,
  deletions: Pick<Deletions, 'ids' | 'onChange'>,
  failed: (error: unknown) => void,
  order: ListOrder,
): Promise<NoteIndex> {
  let lines = new Map<string, NoteLine>()
  let isComplete = false
  /** Links are looked up again after each change, for every note. */
  const keysByAddress = new Map<string, readonly string[]>()
  const listeners: ((ids: ReadonlySet<string> | null) => void)[] = []
  let sorted: readonly NoteLine[] | undefined
  let gone: ReadonlySet<string> | undefined
  let titles: ReadonlyMap<string, NoteLine> | undefined
  let last: Promise<void> = Promise.resolve()

  recall.subscribe((event) => void handle(event))
  deletions.onChange(() => notify(null))
  const firstPages = await Promise.all([
    recall.list({ limit: firstRead, order }),
    recall.list({ limit: firstRead, order, tags: { all: [pinTag] } }),
  ])
  lines = byId(firstPages.flatMap(({ items }) => items.map(lineOf)))
  const complete = inTurn(readAll)
  // The caller awaits it later, and hears of a failure then.
  complete.catch(() => undefined)

  return {
    complete,
    isComplete: () => isComplete,
    all: newestFirst,
    byId: (id) => (hiddenIds().has(id) ? undefined : lines.get(id)),
    byTitle: (title) => byTitle().get(titleKey(title)),
    byLink,
    linkingTo: ({ id }) =>
      newestFirst().filter((line) => line.id !== id && line.links.some((link) => byLink(link)?.id === id)),
    tags: countTags,
    deleting: () => [...hiddenIds()],
    trashed,
    onChange: (listener) => void listeners.push(listener),
    refresh: (ids) => inTurn(() => read(ids)),
  }

  function handle(event: EngineEvent): Promise<void> | undefined {
    if (event.type === 'changed') {
      const { ids } = event
      return inTurn(() => (ids.length === 0 || ids.length > maxRead ? readAll() : read(ids))).catch(failed)
    }
    // Notes that were read before may be outdated.
    if (event.type === 'ready' || event.type === 'leader-changed') return inTurn(readAll).catch(failed)
    return undefined
  }

  /** Runs reads one after the other, so that an older result never replaces a newer one. */
  function inTurn(run: () => Promise<void>): Promise<void> {
    const mine = last.then(run)
    last = mine.catch(() => undefined)
    return mine
  }

  async function readAll(): Promise<void> {
    const all: NoteLine[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<Recall['list']>> = await recall.list({ limit: pageLength, cursor })
      all.push(...page.items.map(lineOf))
      cursor = page.nextCursor
    } while (cursor !== null)
    lines = byId(all)
    isComplete = true
    notify(null)
  }

  async function read(ids: readonly string[]): Promise<void> {
    const records = await recall.get(ids)
    for (const [place, id] of ids.entries()) {
      const record = records[place]
      if (record === undefined) lines.delete(id)
      else lines.set(id, lineOf(record))
    }
    notify(new Set(ids))
  }

  function notify(ids: ReadonlySet<string> | null): void {
    sorted = titles = gone = undefined
    for (const listener of listeners) listener(ids)
  }

  function hiddenIds(): ReadonlySet<string> {
    if (gone !== undefined) return gone
    const inTrash = [...lines.values()].filter(({ trashedAt }) => trashedAt !== null)
    gone = new Set([...deletions.ids(), ...inTrash.map(({ id }) => id)])
    return gone
  }

  function trashed(): readonly NoteLine[] {
    const doomed = new Set(deletions.ids())
    return [...lines.values()]
      .filter(({ id, trashedAt }) => trashedAt !== null && !doomed.has(id))
      .sort((a, b) => (b.trashedAt ?? 0) - (a.trashedAt ?? 0) || (a.id < b.id ? 1 : -1))
  }

  function newestFirst(): readonly NoteLine[] {
    const hidden = hiddenIds()
    sorted ??= [...lines.values()]
      .filter(({ id }) => !hidden.has(id))
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
    return sorted
  }

  function byLink(address: string): NoteLine | undefined {
    let keys = keysByAddress.get(address)
    if (keys === undefined) keysByAddress.set(address, (keys = titlesOf(address).map(titleKey)))
    const key = keys.find((one) => byTitle().has(one))
    return key === undefined ? undefined : byTitle().get(key)
  }

  /** A title takes precedence over other names, a newer note over an older one. */
  function byTitle(): ReadonlyMap<string, NoteLine> {
    if (titles !== undefined) return titles
    const oldestFirst = newestFirst().toReversed()
    const byKey = new Map<string, NoteLine>()
    for (const line of oldestFirst) for (const key of line.otherKeys) byKey.set(key, line)
    for (const line of oldestFirst) byKey.set(line.key, line)
    titles = byKey
    return titles
  }

  function countTags(): readonly { readonly tag: string; readonly count: number }[] {
    const counts = new Map<string, number>()
    for (const { tags } of newestFirst()) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    return [...counts]
      .map(([tag, count]) => ({ tag, count }))
      .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
  }
}

function byId(lines: readonly NoteLine[]): Map<string, NoteLine> {
  return new Map(lines.map((line) => [line.id, line]))
}
