/** about: reads every record that states something of a subject, in one state of the store. Writes nothing [D2]. */
import { holdsKey, keySetOf } from '../../../src/core/collections/key-set.ts'
import type { AboutRequest } from '../../../src/core/model/query.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import type { About, RecallResult } from '../../../src/core/model/result.ts'
import { sortStatements, statesFact } from '../../../src/core/present/statements.ts'
import { parseAbout, type ParsedAbout } from '../../../src/core/query/parse-about.ts'
import { quote } from '../../../src/core/query/phrases.ts'
import { saidWording } from '../../../src/core/said/wording.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import { answerFirst } from '../../retrieval/answer-first.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import { matching } from '../common/matching.ts'
import type { Ports } from '../common/ports.ts'
import { planOf } from './recall.ts'

export async function about(
  ports: Ports,
  input: AboutRequest,
  context: RequestContext,
  withoutVector?: string,
): Promise<About> {
  const parsed = parseAbout(input)
  const plan = await planOf(ports, parsed.query, context, withoutVector)
  return ports.store.reading(() => {
    const { store } = ports
    const { hits, evidence } = answerFirst(plan, ports).decision
    const { records, truncated } = recordsAbout(store, parsed, { hits, evidence })
    const agreements = store.learning.agreements()
    const sorted = sortStatements(records, { now: plan.query.now ?? context.now, agreements })
    return { subject: parsed.subject, ...sorted, evidence, truncated, revision: store.revision() }
  })
}

interface Read {
  readonly records: readonly StoredRecord[]
  readonly truncated: boolean
}

function recordsAbout(
  store: Store,
  { words, limit, query: { scope = {} } }: ParsedAbout,
  { hits, evidence }: Pick<RecallResult, 'hits' | 'evidence'>,
): Read {
  const scopeKeys = store.scopeKeys(scope)
  const isSelf = words === ''
  const among = isSelf ? keysOfSelf(store, scopeKeys) : matching(store, scope, words)
  const found = newest(store, among, limit, (record) => statesFact(record, isSelf))
  const named = found.records.length > 0 ? found.records : byWords(hits, evidence).slice(0, limit)
  return { records: withSuccessors(store, named, scopeKeys), truncated: found.truncated }
}

/** Records with a word for the person who asks. */
function keysOfSelf(store: Store, scopeKeys: KeySet | null): KeySet {
  const keys = new Set<number>()
  for (const list of store.postings(Array.from(saidWording().self, quote)))
    for (const key of list.keys) if (scopeKeys === null || holdsKey(scopeKeys, key)) keys.add(key)
  return keySetOf(Uint32Array.from(keys).sort(), store.lastKey() + 1)
}

/** What a recall found by words, if that is evidence. */
function byWords(hits: RecallResult['hits'], { strength }: RecallResult['evidence']): readonly StoredRecord[] {
  if (strength === 'none') return []
  return hits.flatMap(({ ranks, record }) => (ranks.lexical !== undefined && statesFact(record, false) ? [record] : []))
}

/** The newest records that state something. Many turns of a chat do not, so more are read than are returned. */
function newest(store: Store, among: KeySet | null, limit: number, states: (record: StoredRecord) => boolean): Read {
  const { records: total } = store.statistics(null)
  const page = store.page({ by: 'createdAt', direction: 'desc', after: null, among, records: total, limit: mostRead })
  const records = store.hydrate(page).filter(states)
  return { records: records.slice(0, limit), truncated: records.length > limit || page.length === mostRead }
}

const mostRead = 2_000

/** With those of the scope that replace one of them by name, also through others, whatever their words. */
function withSuccessors(
  store: Store,
  records: readonly StoredRecord[],
  scopeKeys: KeySet | null,
): readonly StoredRecord[] {
  const known = new Map(records.map((record) => [record.id, record]))
  for (const { supersededBy } of known.values()) {
    if (supersededBy === null || known.has(supersededBy)) continue
    const key = store.keyOf(supersededBy)
    if (key === undefined || (scopeKeys !== null && !holdsKey(scopeKeys, key))) continue
    for (const record of store.hydrate([key])) known.set(record.id, record)
  }
  return [...known.values()]
}
