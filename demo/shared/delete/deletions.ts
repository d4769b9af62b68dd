/**
 * Deletes records in two steps: the page hides them at once, and forgets them for good when the time to undo is over. An app with a
 * trash moves them there instead.
 * Pending deletions are noted in local storage. If the page is closed in between, another open page of the app completes
 * them, or else the next start.
 */
import type { ForgottenProof, Recall } from 'scrubjay'
import { counted } from '../format.ts'
import { explainError, showNotice } from '../notice.ts'
import { pageId, settleSoon, whenGone } from '../page-life.ts'
import { announce, make } from '../dom.ts'
import { proofCard } from './proof.ts'
import { offerUndo } from './undo-toast.ts'

/** A record at the time of its deletion. */
export interface Doomed {
  readonly id: string
  readonly contentHash: string
  /** Whether they are forgotten even if the app has a trash. */
  readonly isForGood?: boolean
}

export interface RemoveOptions {
  /** Forgets the records instead of `recall.forget`, and shows the proof itself. */
  readonly forget?: () => Promise<unknown>
  /** Forgets the records even if the app has a trash. */
  readonly isForGood?: boolean
  /** An abort undoes the deletion. */
  readonly signal?: AbortSignal
}

export interface Deletions {
  /** Records that are being deleted in any tab. The page must not show them. */
  ids(): readonly string[]
  onChange(listener: () => void): void
  /** Resolves to true if the records are deleted for good; to false if it was undone or another tab changed them meanwhile. */
  remove(records: readonly Doomed[], options?: RemoveOptions): Promise<boolean>
  /** Completes deletions that closed pages have left, now and whenever a page is closed. */
  takeUp(): Promise<void>
}

export interface DeletionsOptions {
  /** Name of the app. Each app has its own list of deletions. */
  readonly app: string
  readonly one: string
  readonly many?: string
  /** Runs a function while other tabs do not write. Default: runs it at once. */
  readonly alone?: <T>(run: () => Promise<T>) => Promise<T>
  /** Moves records to a trash when the time to undo is over. Default: they are forgotten. “Delete now” always forgets. */
  readonly toTrash?: (ids: readonly string[]) => Promise<void>
}

/**
 * ms in which a second press is ignored: a double-click must not delete the record that moved under the pointer. A press
 * after an Undo is not a double-click.
 */
const doublePressMs = 600

export function createDeletions(
  recall: Recall,
  { app, one, many = `${one}s`, alone = (run) => run(), toTrash }: DeletionsOptions,
): Deletions {
  const prefix = `scrubjay-deleting:${app}:`
  const own = new Map<string, Doomed>()
  const listeners: (() => void)[] = []
  const watched = new Set<string>()
  let foreign = readForeign()
  let pressedMs = Number.NEGATIVE_INFINITY

  return {
    ids: () => [...own.keys(), ...foreign.flatMap(({ records }) => records.map(({ id }) => id))],
    onChange: (listener) => void listeners.push(listener),
    remove,
    async takeUp() {
      addEventListener('storage', ({ key }) => {
        if (key?.startsWith(prefix) !== true) return
        foreign = readForeign()
        notify()
        for (const { owner } of foreign) void watch(owner)
      })
      await settleSoon(foreign.map(({ owner }) => watch(owner)))
    },
  }

  async function remove(
    records: readonly Doomed[],
    { forget, isForGood = false, signal }: RemoveOptions = {},
  ): Promise<boolean> {
    if (performance.now() - pressedMs < doublePressMs) return false
    const mineMs = performance.now()
    pressedMs = mineMs
    // Only id and hash: local storage must not hold text of a deleted record.
    for (const { id, contentHash } of records) own.set(id, { id, contentHash, isForGood })
    keepOwn()
    const ids = records.map(({ id }) => id)
    const what = records.length === 1 ? one : many
    const sentence = `${records.length === 1 ? capitalised(one) : counted(records.length, one, many)} deleted.`
    announce(`${sentence} You can undo this for 10 seconds.`)
    const toast = offerUndo(sentence, signal)
    try {
      if (!(await toast.isMeant)) return restored()
      const isGone = await alone(async () => {
        if (!(await areUnchanged(records))) return false
        if (isTrashed()) await toTrash?.(ids)
        else await (forget === undefined ? recall.forget(ids) : forget())
        return true
      })
      if (!isGone) return keptAsChanged(what)
      if (forget !== undefined || isTrashed()) toast.close()
      else toast.finish(proofOf(await Promise.all(ids.map((id) => recall.verifyForgotten(id)))))
      return true
    } catch (error) {
      toast.close()
      explainError(`The ${what} could not be deleted.`, error)
      return false
    } finally {
      for (const id of ids) own.delete(id)
      keepOwn()
    }

    function isTrashed(): boolean {
      return toTrash !== undefined && forget === undefined && !isForGood && !toast.isPressed()
    }

    function restored(): boolean {
      if (pressedMs === mineMs) pressedMs = Number.NEGATIVE_INFINITY
      toast.close()
      announce(`The ${what} ${records.length === 1 ? 'is' : 'are'} back.`)
      return false
    }

    function keptAsChanged(changed: string): boolean {
      toast.close()
      explainChanged(changed)
      return false
    }
  }

  async function areUnchanged(records: readonly Doomed[]): Promise<boolean> {
    const stored = await recall.get(records.map(({ id }) => id))
    return records.every(({ contentHash }, place) => (stored[place]?.contentHash ?? contentHash) === contentHash)
  }

  async function watch(owner: string): Promise<void> {
    if (watched.has(owner)) return
    watched.add(owner)
    await whenGone(owner, () => forgetAll(owner)).catch((error: unknown) =>
      explainError(`A deleted ${one} could not be erased yet. The next start tries again.`, error),
    )
    watched.delete(owner)
  }

  async function forgetAll(owner: string): Promise<void> {
    for (const record of readList(prefix + owner))
      await alone(async () => {
        if (!(await areUnchanged([record]))) return
        if (toTrash === undefined || record.isForGood === true) await recall.forget(record.id)
        else await toTrash([record.id])
      })
    attempt(() => localStorage.removeItem(prefix + owner))
    foreign = readForeign()
    notify()
  }

  function keepOwn(): void {
    const key = prefix + pageId
    if (own.size === 0) attempt(() => localStorage.removeItem(key))
    else attempt(() => localStorage.setItem(key, JSON.stringify([...own.values()])))
    notify()
  }

  function notify(): void {
    for (const listener of listeners) listener()
  }

  function readForeign(): readonly { readonly owner: string; readonly records: readonly Doomed[] }[] {
    const keys = attempt(() => Object.keys(localStorage)) ?? []
    return keys
      .filter((key) => key.startsWith(prefix) && key !== prefix + pageId)
      .map((key) => ({ owner: key.slice(prefix.length), records: readList(key) }))
  }
}

/** Reports that `what` was kept, because another tab changed it after this page had shown it. */
export function explainChanged(what: string): void {
  const close = make('button', { type: 'button', click: () => hide() }, 'Close')
  const hide = showNotice('warning', make('p', {}, `Another tab changed the ${what}, so nothing was deleted.`), close)
}

function readList(key: string): readonly Doomed[] {
  return attempt((): readonly Doomed[] => JSON.parse(localStorage.getItem(key) ?? '[]')) ?? []
}

function proofOf(proofs: readonly ForgottenProof[]): HTMLElement {
  const [first] = proofs
  const dirty = proofs.find(({ clean }) => !clean)
  return first === undefined ? make('p', {}, 'Deleted.') : proofCard(dirty ?? first)
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Local storage may be blocked. Then a page that is closed before the time is over keeps the record. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
