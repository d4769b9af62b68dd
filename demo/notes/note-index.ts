/**
 * Every note as one line, kept right while notes change in whichever tab: for the newest first, for tags, and for what
 * links where. The engine finds and ranks; this only knows what is there.
 */
import type { EngineEvent, Recall } from 'scrubjay'
import type { Deletions } from '../shared/delete/deletions.ts'
import { lineOf, type NoteLine, titleKey } from './note.ts'

export interface NoteIndex {
  /** Newest change first. */
  all(): readonly NoteLine[]
  byId(id: string): NoteLine | undefined
  /** The newest of that title. */
  byTitle(title: string): NoteLine | undefined
  /** Notes that link to one, the newest first. */
  linkingTo(line: NoteLine): readonly NoteLine[]
  /** The most frequent first. */
  tags(): readonly { readonly tag: string; readonly count: number }[]
  /** Notes that are being deleted: all of the above leaves them out, and questions should too. */
  deleting(): readonly string[]
  /** Told after changes; null: any note may have changed. */
  onChange(listener: (ids: ReadonlySet<string> | null) => void): void
  /** Takes up what was written just now, so that nobody waits for the event. */
  refresh(ids: readonly string[]): Promise<void>
}

/** Above this many changes, reading everything is quicker than asking for each. */
const mostAsked = 1000

/** Resolves when every note is known. */
export async function createNoteIndex(
  recall: Recall,
  deletions: Pick<Deletions, 'ids' | 'onChange'>,
  failed: (error: unknown) => void,
): Promise<NoteIndex> {
  const lines = new Map<string, NoteLine>()
  const listeners: ((ids: ReadonlySet<string> | null) => void)[] = []
  let sorted: readonly NoteLine[] | undefined
  let titles: ReadonlyMap<string, NoteLine> | undefined
  let last: Promise<void> = Promise.resolve()

  recall.subscribe((event) => void hear(event))
  deletions.onChange(() => tell(null))
  await readAll()

  return {
    all: newestFirst,
    byId: (id) => (deletions.ids().includes(id) ? undefined : lines.get(id)),
    byTitle: (title) => byTitle().get(titleKey(title)),
    linkingTo: ({ id, title }) => {
      const key = titleKey(title)
      return newestFirst().filter((line) => line.id !== id && line.links.some((link) => titleKey(link) === key))
    },
    tags: countTags,
    deleting: deletions.ids,
    onChange: (listener) => void listeners.push(listener),
    refresh: (ids) => inTurn(() => read(ids)),
  }

  function hear(event: EngineEvent): Promise<void> | undefined {
    if (event.type === 'changed') {
      const { ids } = event
      return inTurn(() => (ids.length === 0 || ids.length > mostAsked ? readAll() : read(ids))).catch(failed)
    }
    // What was read before may be old.
    if (event.type === 'ready' || event.type === 'leader-changed') return inTurn(readAll).catch(failed)
    return undefined
  }

  /** Answers must land in the order of their questions, or an older one would undo a newer one. */
  function inTurn(run: () => Promise<void>): Promise<void> {
    const mine = last.then(run)
    last = mine.catch(() => undefined)
    return mine
  }

  async function readAll(): Promise<void> {
    const found: NoteLine[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<Recall['list']>> = await recall.list({ limit: 1000, cursor })
      found.push(...page.items.map(lineOf))
      cursor = page.nextCursor
    } while (cursor !== null)
    lines.clear()
    for (const line of found) lines.set(line.id, line)
    tell(null)
  }

  async function read(ids: readonly string[]): Promise<void> {
    const records = await recall.get(ids)
    for (const [place, id] of ids.entries()) {
      const record = records[place]
      if (record === undefined) lines.delete(id)
      else lines.set(id, lineOf(record))
    }
    tell(new Set(ids))
  }

  function tell(ids: ReadonlySet<string> | null): void {
    sorted = titles = undefined
    for (const listener of listeners) listener(ids)
  }

  function newestFirst(): readonly NoteLine[] {
    const hidden = new Set(deletions.ids())
    sorted ??= [...lines.values()]
      .filter(({ id }) => !hidden.has(id))
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
    return sorted
  }

  function byTitle(): ReadonlyMap<string, NoteLine> {
    titles ??= new Map(
      newestFirst()
        .toReversed()
        .map((line) => [titleKey(line.title), line]),
    )
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
