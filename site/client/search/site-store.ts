/**
 * The store of the site's search: Scrubjay itself, in memory, so that a visit leaves nothing on the device. It opens when the
 * search is first used, because a reader who never searches should not load the engine. From then on it needs no network.
 */
import { openRecall, type Recall, type RecallResult, type RecordInput } from 'scrubjay'
import { type Typed, prefixOf } from '../../../demo/shared/typing.ts'
import { guide, siteSearch } from '../../search-policy.ts'

export interface SiteStore {
  ask(text: string, typed: Typed, signal: AbortSignal): Promise<RecallResult>
}

/** From a page to the root of the site: `./` or `../`. */
export const siteRoot = document.documentElement.dataset['root'] ?? './'

const mostHits = 8

let opening: Promise<SiteStore> | undefined

/** The same store for every call. After a failure the next call tries again. */
export function siteStore(): Promise<SiteStore> {
  opening ??= open().catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

async function open(): Promise<SiteStore> {
  const [recall, records] = await Promise.all([
    openRecall({ name: 'scrubjay-site', storage: 'memory', embedder: null, policy: siteSearch }),
    readRecords(),
  ])
  await fill(recall, records)
  return {
    ask: (text, typed, signal) =>
      recall.recall({ text, times: 'off', prefer: { kind: guide }, limit: mostHits, ...prefixOf(typed) }, { signal }),
  }
}

async function readRecords(): Promise<readonly RecordInput[]> {
  const response = await fetch(`${siteRoot}search.json`)
  if (!response.ok) throw new Error(`The server answered ${response.status} for search.json.`)
  return (await response.json()) as readonly RecordInput[]
}

async function fill(recall: Recall, records: readonly RecordInput[]): Promise<void> {
  const { records: outcomes } = await recall.put(records)
  const refused = outcomes.find(({ outcome }) => outcome === 'rejected')
  if (refused !== undefined) throw new Error(`The engine refused a section: ${JSON.stringify(refused)}`)
}
