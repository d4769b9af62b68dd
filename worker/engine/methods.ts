/** The method table: the function of each method, its arguments, and whether it runs in the write queue. */
import { parseIds } from '../../src/core/query/parse-query.ts'
import type { Answer, Arguments, Method, RequestContext } from '../../src/protocol/engine-api.ts'
import { assemble } from '../methods/assemble/assemble.ts'
import { expireProposals } from '../methods/assemble/expire-proposals.ts'
import { proposals } from '../methods/assemble/proposals.ts'
import { storedAnswer } from '../methods/common/learn.ts'
import type { Ports } from '../methods/common/ports.ts'
import { scopeOf } from '../methods/common/scope.ts'
import { acknowledge } from '../methods/feedback/acknowledge.ts'
import { link } from '../methods/feedback/link.ts'
import { linked } from '../methods/feedback/linked.ts'
import { predict } from '../methods/feedback/predict.ts'
import { predictionErrors } from '../methods/feedback/prediction-errors.ts'
import { resolvePrediction } from '../methods/feedback/resolve-prediction.ts'
import { strengthen } from '../methods/feedback/strengthen.ts'
import { weakenLinks } from '../methods/feedback/weaken-links.ts'
import { compact } from '../methods/maintenance/compact.ts'
import { events } from '../methods/maintenance/events.ts'
import { createExportParts } from '../methods/maintenance/export-parts.ts'
import { createImportParts } from '../methods/maintenance/import-parts.ts'
import { integrityCheck } from '../methods/maintenance/integrity-check.ts'
import { attachVectors, embedNext } from '../methods/maintenance/reembed.ts'
import { status } from '../methods/maintenance/status.ts'
import { about } from '../methods/recall/about.ts'
import { assess } from '../methods/recall/assess.ts'
import { asOf } from '../methods/recall/as-of.ts'
import { recall } from '../methods/recall/recall.ts'
import { related } from '../methods/recall/related.ts'
import { why } from '../methods/recall/why.ts'
import { checkFiles } from '../methods/records/check-files.ts'
import { facets } from '../methods/records/facets.ts'
import { forget, verifyForgotten } from '../methods/records/forget.ts'
import { list } from '../methods/records/list.ts'
import { parsePatched } from '../methods/records/patch.ts'
import { createPut } from '../methods/records/put.ts'
import { createRetention } from '../methods/records/retain.ts'
import { suggest } from '../methods/records/suggest.ts'
import { versions } from '../methods/records/versions.ts'
import { notLockedYet } from '../lock/not-locked.ts'

export type Handler<V extends Method> = (
  request: Arguments<V>,
  context: RequestContext,
) => Promise<Answer<V>> | Answer<V>

/** `closeStore` closes the derived state before the storage closes. */
export function createMethods(
  ports: Ports,
  closeStore: (how: 'saving' | 'discarding') => void,
): { readonly [V in Method]: Handler<V> } {
  const { writeQueue, storage, options } = ports
  const { retain, afterPut } = createRetention(ports)
  const { put, putMade } = createPut(ports)
  const { exportPart, endExport } = createExportParts(ports)
  const { importPart, finishImport, endImport } = createImportParts(ports)
  const noLocks = () => {
    throw notLockedYet(options.name)
  }
  const end = (how: 'saving' | 'discarding', finish: () => Promise<void>) =>
    writeQueue.write(async () => {
      closeStore(how)
      await finish()
    })
  /** A write of learned state, once per operation id. `read` converts the stored answer of a repeated operation. */
  const learnOnce = <T>(
    { operation, signal }: RequestContext,
    work: (own: Ports) => T | Promise<T>,
    read: (stored: object) => T = (stored) => stored as T,
  ): Promise<T> =>
    writeQueue.write(() => {
      const stored = storedAnswer(ports, operation)
      return stored ? read(stored) : work({ ...ports, operation })
    }, signal)
  return {
    put: async ({ batch, findContradictions }, context) => {
      const receipt = await put(batch, context, findContradictions === true)
      if (options.retention) while (await writeQueue.write(() => afterPut(context.now)));
      return receipt
    },
    patch: ({ id, fields }, context) => putMade(id, () => parsePatched(ports, id, fields), context),
    get: ({ ids }) => ports.store.get(parseIds(ids)),
    versions: ({ id }) => versions(ports, id),
    list: ({ filter }) => list(ports.store, filter),
    count: ({ scope }) => ports.store.count(scopeOf(ports.store, scope)),
    facets: ({ request }) => facets(ports.store, request),
    suggest: ({ prefix, request }) => suggest(ports.store, prefix, request),
    tags: ({ scope }) => ports.store.tags(scopeOf(ports.store, scope)),
    forget: (request, context) => writeQueue.write(() => forget(ports, request, context), context.signal),
    verifyForgotten: ({ id }) => verifyForgotten(ports, id),
    recall: ({ query, withoutVector }, context) =>
      asOf(ports, query, context, (own, now) => recall(own, query, now, withoutVector)),
    assemble: ({ query, withoutVector }, context) =>
      asOf(ports, query, context, (own, now) => assemble(own, query, now, withoutVector)),
    assess: ({ query, withoutVector }, context) =>
      asOf(ports, query, context, (own, now) => assess(own, query, now, withoutVector)),
    about: ({ query, withoutVector }, context) => about(ports, query, context, withoutVector),
    related: ({ id, request }, context) => related(ports, id, request, context),
    why: (request, context) => asOf(ports, request.query, context, (own, now) => why(own, request, now)),
    checkFiles: ({ states }, context) => checkFiles(ports, states, context),
    acknowledge: (request, context) => learnOnce(context, (own) => acknowledge(own, request, context.now), nothing),
    link: (request, context) => learnOnce(context, (own) => link(own, request, context.now)),
    strengthen: (request, context) => learnOnce(context, (own) => strengthen(own, request, context.now)),
    weakenLinks: ({ factor }, context) => learnOnce(context, (own) => weakenLinks(own, factor, context.now)),
    linked: (request) => linked(ports.store, request),
    predict: (request, context) => learnOnce(context, (own) => predict(own, request, context.now)),
    resolvePrediction: (request, context) => learnOnce(context, (own) => resolvePrediction(own, request, context.now)),
    predictionErrors: ({ filter }) => predictionErrors(ports.store, filter ?? {}),
    proposals: ({ scope }, { now }) => proposals(ports.store, scope, now),
    expireProposals: ({ ttlMs }, context) =>
      learnOnce(
        context,
        (own) => expireProposals(own, ttlMs, context.now),
        ({ expired }: { readonly expired?: number }) => expired ?? 0,
      ),
    events: ({ since }) => events(ports.store, since),
    // An export must begin between two transactions, because it reads one revision.
    exportPart: (request, { signal }) =>
      request.part === 0 ? writeQueue.write(() => exportPart(request), signal) : exportPart(request),
    endExport,
    importPart,
    finishImport: (request, context) => writeQueue.write(() => finishImport(request, context), context.signal),
    endImport,
    embedNext: (request, { signal }) => embedNext(ports, request, signal),
    attachVectors: (request, { signal }) => attachVectors(ports, request, signal),
    compact({ newKey }, { signal }) {
      if (newKey) throw notLockedYet(options.name)
      return compact(ports, signal)
    },
    integrityCheck: (request, { signal }) => integrityCheck(ports, request, signal),
    retain: (request, context) => writeQueue.write(() => retain(request, context), context.signal),
    status: (_request, { now }) => status(ports, now),
    // The ciphers' file answers both for a locked store.
    locks: noLocks,
    storedLocks: noLocks,
    lockNow: () => end('saving', storage.close),
    close: () => end('saving', storage.close),
    destroy: () => end('discarding', storage.destroy),
  }
}

function nothing(): void {}
