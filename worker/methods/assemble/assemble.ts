/**
 * assemble: builds a context package for a question and for due records. Pull: a recall, then association over links from its
 * first records, then the recall again with the linked records. Push: due records from their own index. All of it reads one
 * state of the store. It writes nothing [D2] unless the request says so; then all effects are applied, or none.
 */
import {
  type AssemblyFacts,
  type PackedPackage,
  type Pushed,
  packContext,
} from '../../../src/core/assemble/pack-context.ts'
import { noFact } from '../../../src/core/assemble/arrange.ts'
import { formatterOf } from '../../../src/core/assemble/formats.ts'
import {
  followed,
  hasPlaces,
  laterOn,
  type Places,
  placesFor,
  placesOfStanding,
} from '../../../src/core/assemble/standing-places.ts'
import { spread } from '../../../src/core/assemble/spread.ts'
import { surface } from '../../../src/core/assemble/surface.ts'
import type { Decision } from '../../../src/core/decide.ts'
import { vectorsDigest } from '../../../src/core/ingest/vectors-digest.ts'
import type { AssemblyMetadata, PackageLedgerEntry } from '../../../src/core/model/assemble.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { type ChannelPlan, type Hit, type Plan, pullChannels } from '../../../src/core/model/result.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { unpackLedger } from '../../../src/core/present/ledger.ts'
import { cuesWithText, type ParsedAssembly, parseAssembleRequest } from '../../../src/core/query/parse-assemble.ts'
import { planQuery } from '../../../src/core/query/plan-query.ts'
import { receiptDigest } from '../../../src/core/query/parse-feedback.ts'
import { quotaOf } from '../../../src/core/select/quota.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import { type ReadRequest, readRequest } from '../../../src/core/said/read-request.ts'
import { dueRecords } from '../../retrieval/channels/due.ts'
import { standingRecords } from '../../retrieval/channels/standing.ts'
import { learn, storedAnswer } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'
import { answerFirst, firstBudget, present, selectFirst } from '../../retrieval/answer-first.ts'
import { measure } from '../recall/measure.ts'
import { planOf } from '../recall/recall.ts'
import { applyEffects, countReads } from './assembly-effects.ts'

interface Prepared {
  readonly request: ParsedAssembly
  readonly plan: QueryPlan
}

export async function assemble(
  ports: Ports,
  input: unknown,
  context: RequestContext,
  withoutVector?: string,
): Promise<PackedPackage> {
  const prepared = await prepare(ports, input, context, withoutVector)
  if (!prepared.request.commitEffects) return ports.store.reading(() => assembled(ports, prepared))
  return ports.writeQueue.write(async () => {
    const contextPackage = ports.store.reading(() => assembled(ports, prepared))
    // A repeated call, because its answer was lost: the effects are already applied.
    if (storedAnswer(ports, context.operation) === null)
      await commit({ ...ports, operation: context.operation }, prepared, contextPackage)
    return contextPackage
  }, context.signal)
}

async function prepare(
  ports: Ports,
  input: unknown,
  context: RequestContext,
  withoutVector?: string,
): Promise<Prepared> {
  const request = parseAssembleRequest(input)
  const limit = Math.min(Math.max(2 * request.maxItems, 1), tuning.maxRecallLimit)
  return { request, plan: await planOf(ports, { ...request.query, limit, ledger: true }, context, withoutVector) }
}

function assembled(ports: Ports, { request, plan }: Prepared): PackedPackage {
  const { store } = ports
  const isAsked = plan.text.trim() !== '' || plan.vector !== null
  const asked = readRequest(request.query.text ?? '')
  const pulled = isAsked ? pullEnough(ports, request, plan, asked) : null
  const { pushed, left, cyclic } = push(ports, request, plan)
  const found = pulled === null ? [] : reservedFirst(pulled)
  const asksForNothing = asked.isSmallTalk && (plan.query.minEvidence ?? 'none') !== 'none'
  const hits = asksForNothing ? [] : found
  const facts: AssemblyFacts = {
    request,
    policy: plan.policy,
    authority: ports.authority,
    now: plan.now,
    revision: store.revision(),
    pulled: hits,
    pushed,
    places: placesOf(ports, request, plan, hits),
    left: [
      ...(pulled === null ? [] : unpackLedger(pulled.ledger!)),
      ...left,
      ...(asksForNothing ? found.map(asideOf) : []),
    ],
    evidence: pulled?.evidence ?? { strength: 'none', probability: 0, coverage: 0, topCosine: null, gap: 0 },
    plan: planWith(pulled?.plan ?? unasked(ports, plan), cyclic),
    warnings: pulled?.warnings ?? [],
    queryHash: plan.vector === null ? '' : vectorsDigest([plan.vector]),
    autoLink: ports.options.autoLink,
    countTokens: ports.extensions.countTokens,
  }
  const contextPackage = packContext(facts)
  if (!request.assessQuality) return contextPackage
  const quality = measure(ports, plan, {
    cues: cuesWithText(request.cues, request.text),
    candidates: facts.pulled.map(({ record }) => record),
    selected: contextPackage.records,
    maxItems: request.maxItems,
    surfacingThreshold: request.surfacingThreshold,
  })
  return { ...contextPackage, metadata: { ...contextPackage.metadata, quality } satisfies AssemblyMetadata }
}

/**
 * The recall. Where weak evidence is asked for, nothing is withheld that fits the budget as a whole and may be meant [H6]: the gate is for
 * stores in which the best of many records says little.
 */
function pullEnough(ports: Ports, request: ParsedAssembly, plan: QueryPlan, asked: ReadRequest): Decision {
  const { minEvidence = 'none' } = plan.query
  const decision = pull(ports, request, plan)
  const isWithheld = decision.hits.length === 0 && minEvidence === 'weak'
  const mayMean = asked.isPersonal || (decision.evidence.topCosine ?? 0) >= placesOfStanding.nearCosine
  if (asked.isSmallTalk || !isWithheld || !mayMean || !fitsWhole(ports, request, plan)) return decision
  return pull(ports, request, { ...plan, query: { ...plan.query, minEvidence: 'none' } })
}

function asideOf({ id }: Hit): PackageLedgerEntry {
  return { id, reason: 'small talk asks for no fact', stage: 'evidence' }
}

/** Whether all facts of the scope, and few of them, fit the budget. */
function fitsWhole(
  { store, extensions }: Ports,
  { maxTokens, format, roles }: ParsedAssembly,
  plan: QueryPlan,
): boolean {
  const scopeKeys = store.scopeKeys(plan.scope)
  const { records } = store.statistics(scopeKeys)
  if (maxTokens === undefined || records > placesOfStanding.read || records > maxTokens) return false
  const formatter = formatterOf(format, plan.now)
  let left = maxTokens
  for (const record of store.hydrate([...(scopeKeys ?? store.everyKey()).keys])) {
    if (noFact(record, roles) !== null) continue
    left -= extensions.countTokens(formatter.segment({ record, score: 0, freshness: 'unverifiable', matched: [] }))
    if (left < 0) return false
  }
  return true
}

/** The recall, with the records that its first hits are linked to. A larger limit only appends [S4], so the first hits do not depend on it. */
function pull(ports: Ports, request: ParsedAssembly, plan: QueryPlan): Decision {
  const { store } = ports
  const decision = decideAmong(ports, plan)
  const depth = plan.policy.depths.linked === 0 ? 0 : request.propagationDepth
  const first = depth === 0 ? [] : decision.hits.slice(0, Math.max(request.maxItems, 1))
  const linksOf = (id: string) => store.learning.linksOf(store.keyOf(id) ?? -1)
  const linked = spread(
    first.map(({ id }) => id),
    linksOf,
    depth,
  )
  if (linked.size === 0) return decision
  const associated = {
    ...plan,
    linked,
    ...(plan.withoutTimes == null ? {} : { withoutTimes: { ...plan.withoutTimes, linked } }),
  }
  return decideAmong(ports, associated)
}

/** The ledger of a package names the best of each channel, as many as the depths of the policy say. */
function decideAmong(ports: Ports, plan: QueryPlan): Decision {
  const { lexical, vector } = plan.policy.depths
  const { gathering, selection } = selectFirst(plan, ports, firstBudget(plan, ports, Math.max(lexical, vector)))
  return present(gathering, selection)
}

/** What holds on for this request, and what was said later about the matter of its best record. */
function placesOf(ports: Ports, { query }: ParsedAssembly, plan: QueryPlan, hits: readonly Hit[]): Places {
  // A quota counts the pulled records alone.
  if (quotaOf(plan) !== null) return { later: [], rules: [], profile: [] }
  const text = query.text ?? ''
  const asked = readRequest(text)
  const standing = hasPlaces(asked) ? standingRecords(plan, ports.store) : []
  const records = hits.map(({ record }) => record)
  const turn = followed(records)
  const later = turn === null ? [] : laterOn(turn, saidAfter(ports, plan, turn))
  return { later, ...placesFor(asked, text, standing, [...later, ...records]) }
}

/** Turns after this one that share words with it, best first. */
function saidAfter(ports: Ports, { query, policy, now }: QueryPlan, turn: StoredRecord): readonly StoredRecord[] {
  const { scope = {}, exclude = [] } = query
  if (scope.time?.of !== undefined && scope.time.of !== 'createdAt') return []
  const { stopWords } = ports.store.forms
  const { stemmer, languages } = ports.store.settings
  const after = Math.max(scope.time?.after ?? Number.NEGATIVE_INFINITY, turn.createdAt + 1)
  const plan = planQuery(
    {
      text: turn.body ?? '',
      scope: { ...scope, time: { ...scope.time, after } },
      exclude,
      limit: 2 * placesOfStanding.later,
      times: 'off',
      changes: 'off',
    },
    { policy, authority: ports.authority, stemmer, stopWords, languages, now },
  )
  return answerFirst(plan, ports).decision.hits.map(({ record }) => record)
}

/** Reserved records get the first places. They do not depend on the number of places, so a larger number still only appends [S4]. */
function reservedFirst({ hits, reserved = [] }: Decision): readonly Hit[] {
  const ids = new Set(reserved.map(({ id }) => id))
  return [...reserved, ...hits.filter(({ id }) => !ids.has(id))]
}

function push(ports: Ports, request: ParsedAssembly, plan: QueryPlan) {
  const { store } = ports
  const records = dueRecords(plan, store)
  const { surfaced, left } = surface(records, {
    surfacing: plan.policy.assembly.surfacing,
    threshold: request.surfacingThreshold,
    // With a quota, the first places could all go to one source. The quota is applied later, together with the pulled records.
    most: quotaOf(plan) === null ? request.maxItems : records.length,
    nowMs: plan.now,
  })
  const freshness = store.freshness(plan.policy.freshnessOf)
  const pushed = surfaced.flatMap(({ id, score }): Pushed[] => {
    const key = store.keyOf(id) ?? -1
    return store.hydrate([key]).map((record) => ({
      id,
      score,
      record,
      freshness: freshness.get(key) ?? (record.files.length === 0 ? 'unverifiable' : 'unknown'),
    }))
  })
  const cyclic: ChannelPlan = {
    ran: true,
    mode: 'exact',
    scanned: records.length,
    matched: pushed.length + left.filter(({ stage }: PackageLedgerEntry) => stage === 'items').length,
    complete: true,
  }
  return { pushed, left, cyclic }
}

async function commit(ports: Ports, { plan }: Prepared, { receipt }: PackedPackage): Promise<void> {
  const digest = receiptDigest(receipt)
  await learn(ports, plan.now, (changes) => {
    countReads(changes, ports.store, receipt.effects, { digest, at: receipt.now })
    applyEffects(changes, ports.store, receipt.effects, { digest, rule: plan.policy.confidenceRule })
    return {}
  })
}

function planWith(plan: Plan, cyclic: ChannelPlan): Plan {
  return { ...plan, channels: { ...plan.channels, cyclic } }
}

/** The plan of a package without a question. */
function unasked({ store }: Ports, { policy, scope }: QueryPlan): Plan {
  const idle: ChannelPlan = { ran: false, why: 'nothing was asked', scanned: 0, matched: 0, complete: true }
  return {
    channels: Object.fromEntries([...pullChannels, 'cyclic'].map((channel) => [channel, idle])) as Plan['channels'],
    policy: `${policy.name} v${policy.version}`,
    scope: store.statistics(store.scopeKeys(scope)).records,
    notes: [],
    read: [],
  }
}
