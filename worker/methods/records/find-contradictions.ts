/**
 * Compares records that were just put with stored ones of the same project, agent and bank, and stores as proposals which of them seem
 * to contradict each other. Few candidates are read for each record: those that share most with its statements, by rare words.
 * The proposals are a transaction of their own after that of the records. If the tab ends between both, they are missing, and a put
 * of the same records with another text finds them.
 */
import { contradictionOf, type WeightOf, subjectWeight } from '../../../src/core/similarity/contradicts.ts'
import { statementsOf } from '../../../src/core/similarity/statements.ts'
import { clausesOfRecord } from '../../../src/core/changes/clauses-of-record.ts'
import { changeOf, stemsOfClauses } from '../../../src/core/changes/change-of.ts'
import { placesOf } from '../../../src/core/collections/key-set.ts'
import { problemOf, RecallError } from '../../../src/core/model/errors.ts'
import type { PutReceipt } from '../../../src/core/model/receipts.ts'
import { proseOf, type StoredRecord } from '../../../src/core/model/record.ts'
import { chatTuning } from '../../../src/core/similarity/chat-tuning.ts'
import { quote } from '../../../src/core/query/phrases.ts'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import { tokenise } from '../../../src/core/text/tokenise/tokenise.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import type { Store } from '../../store/port/store.ts'
import { learn } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'

/** Returns the receipt with the ids of contradicted records, also those that an earlier put found. */
export async function findContradictions(ports: Ports, receipt: PutReceipt, now: number): Promise<PutReceipt> {
  const found: Found[] = []
  for (const [i, { id, outcome, bodyChanged }] of receipt.records.entries()) {
    if (!bodyChanged || (outcome !== 'inserted' && outcome !== 'updated')) continue
    if (i > 0 && i % recordsComparedAtOnce === 0) await ports.turns.take()
    found.push(...compare(ports.store, id))
  }
  let { revision } = receipt
  try {
    if (found.length > 0) revision = (await propose(ports, found, now)).revision
  } catch (error) {
    if (!(error instanceof RecallError)) throw error
    // The records are stored, so the put must not seem to fail.
    const note = `The contradictions found could not be stored: ${problemOf(error)}`
    return { ...receipt, records: receipt.records.map((outcome) => ({ ...outcome, note })) }
  }
  const pairs = ports.store.learning.contradictions()
  if (pairs.length === 0) return receipt
  const records = receipt.records.map((outcome) => {
    const earlier = pairs.filter(({ id }) => id === outcome.id).map(({ contradicts }) => contradicts)
    return earlier.length === 0 ? outcome : { ...outcome, contradicts: earlier }
  })
  return { ...receipt, records, revision }
}

const recordsComparedAtOnce = 16

interface Found {
  readonly later: string
  readonly earlier: string
  readonly reason: string
}

function propose(ports: Ports, found: readonly Found[], now: number) {
  // Without the operation id, which belongs to the transaction of the records.
  return learn({ ...ports, operation: undefined }, now, (changes) => {
    for (const { later, earlier, reason } of found) {
      const keys = [ports.store.keyOf(later), ports.store.keyOf(earlier)]
      if (keys[0] === undefined || keys[1] === undefined) continue
      changes.proposeContradiction(keys[0], keys[1], reason)
      changes.log('propose', later)
    }
    return {}
  })
}

/** The surest contradictions of a stored record with others. */
function compare(store: Store, id: string): readonly Found[] {
  const key = store.keyOf(id)
  const [record] = key === undefined ? [] : store.hydrate([key])
  if (key === undefined || record === undefined || record.status !== 'active') return []
  const clauses = clausesOfRecord(record)
  const statements = statementsOf(proseOf(record))
  if (statements.length === 0 && clauses.length === 0) return []
  const stems = new Set([...statements.flatMap(({ about, unit }) => [...about, ...unit]), ...stemsOfClauses(clauses)])
  const { keys, weightOf } = candidatesFor(store, record, key, stems)
  return store
    .hydrate(keys)
    .filter((other) => other.status === 'active' && isSameOwner(record, other))
    .flatMap((other) => {
      const [later, earlier] = isLater(record, other) ? [record, other] : [other, record]
      const found = comparison(later, earlier, weightOf)
      return found === null ? [] : [{ later: later.id, earlier: earlier.id, other: other.id, ...found }]
    })
    .toSorted((a, b) => b.strength - a.strength || compareCodePoints(b.other, a.other))
    .slice(0, chatTuning.maxContradictions)
}

/** Two short statements are compared by their clauses, others by their values and denials. */
function comparison(later: StoredRecord, earlier: StoredRecord, weightOf: WeightOf) {
  if (asks(later) || asks(earlier)) return null
  const found = contradictionOf(statementsOf(proseOf(later)), statementsOf(proseOf(earlier)), weightOf)
  const [ofLater, ofEarlier] = [clausesOfRecord(later), clausesOfRecord(earlier)]
  if (ofLater.length === 0 || ofEarlier.length === 0) return found
  const change = changeOf(ofEarlier, ofLater)
  if (change === null) return null
  const strength = change.about.reduce((sum, name) => sum + weightOf(name), 0)
  const reason = `says "${briefly(later)}", where the other says "${briefly(earlier)}"`
  return { strength, reason: found?.reason ?? reason }
}

/** Whether it is one short question, which states nothing. */
function asks(record: StoredRecord): boolean {
  return /^[^.!?\n]{0,120}\?$/.test(proseOf(record).trim())
}

/** The keys of the records that share most with the stems, and the weight of each stem in the record's scope. */
function candidatesFor(store: Store, record: StoredRecord, own: number, stems: ReadonlySet<string>) {
  const words = new Map<string, string>()
  for (const { word } of tokenise(proseOf(record).slice(0, chatTuning.statementCharacters)))
    if (stems.has(stem(word)) && !words.has(stem(word))) words.set(stem(word), word)
  for (const word of stems) if (!words.has(stem(word))) words.set(stem(word), word)
  const scopeKeys = store.scopeKeys(scopeOf(record))
  const { records } = store.statistics(scopeKeys)
  const lengths = store.lengths()
  const weights = new Map<string, number>()
  const shared = new Map<number, number>()
  const lists = store.postings(Array.from(words.values(), quote))
  for (const [i, name] of [...words.keys()].entries()) {
    const { keys } = lists[i]!
    const places = new Uint32Array(keys.length)
    const count = scopeKeys === null ? keys.length : placesOf(keys, scopeKeys, places)
    const weight = subjectWeight(records, count)
    weights.set(name, weight)
    for (let at = 0; at < count; at++) {
      const key = keys[scopeKeys === null ? at : places[at]!]!
      if (key !== own) shared.set(key, (shared.get(key) ?? 0) + weight)
    }
  }
  const strength = ([key, sum]: readonly [number, number]) => sum / (1 + lengths[key]! / halfLength)
  const keys = [...shared]
    .toSorted((a, b) => strength(b) - strength(a) || compareCodePoints(store.idOf(b[0]), store.idOf(a[0])))
    .slice(0, chatTuning.maxCompared)
    .map(([key]) => key)
  const weightOf: WeightOf = (name) => weights.get(name) ?? 1
  return { keys, weightOf }
}

/** A record of this many tokens counts half, because a long record shares words by chance. */
const halfLength = 300

function scopeOf({ project, agent, bank }: StoredRecord) {
  return {
    ...(project === null ? {} : { project }),
    ...(agent === null ? {} : { agent }),
    ...(bank === null ? {} : { bank }),
  }
}

function isSameOwner(a: StoredRecord, b: StoredRecord): boolean {
  return a.project === b.project && a.agent === b.agent && a.bank === b.bank
}

/** By when it happened, its place in one session, then id. */
function isLater(a: StoredRecord, b: StoredRecord): boolean {
  const [atA, atB] = [a.occurredAt ?? a.createdAt, b.occurredAt ?? b.createdAt]
  if (atA !== atB) return atA > atB
  const [placeA, placeB] = a.session === b.session ? [a.position ?? 0, b.position ?? 0] : [0, 0]
  return placeA === placeB ? compareCodePoints(a.id, b.id) > 0 : placeA > placeB
}

function briefly(record: StoredRecord): string {
  const text = proseOf(record).replace(/\s+/g, ' ').trim()
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote).trimEnd()}…`
}

const longestQuote = 80
