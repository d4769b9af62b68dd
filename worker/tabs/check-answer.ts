/**
 * Checks that an answer from the channel has the shape of its method's answers: any script of the origin can post one. Only
 * the fields that the client itself reads are checked.
 */
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import type { RemoteMethod } from './messages.ts'

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isNothing: Check = (value) => value === undefined || value === null
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const orNothing =
  (check: Check): Check =>
  (value) =>
    isNothing(value) || check(value)
const objectOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isPlainObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]))

const isText: Check = (value) => typeof value === 'string'
const isObject = objectOf({})
const objects = listOf(isObject)
const named = listOf(objectOf({ id: isText }))
const putReceipt = objectOf({ records: named, revision: isNumber, durability: isText })
const written = objectOf({ revision: isNumber })

const checks: Readonly<Record<RemoteMethod, Check>> = {
  put: putReceipt,
  patch: putReceipt,
  get: listOf(orNothing(objectOf({ id: isText }))),
  versions: listOf(objectOf({ record: isObject })),
  list: objectOf({ items: named, limit: isNumber, truncated: isBoolean }),
  count: isNumber,
  facets: objectOf({ matched: isNumber, facets: isObject }),
  suggest: listOf(objectOf({ text: isText, records: isNumber })),
  tags: objects,
  forget: objectOf({ forgotten: listOf(isText), missing: listOf(isText), revision: isNumber }),
  verifyForgotten: objectOf({ clean: isBoolean }),
  recall: objectOf({
    hits: listOf(objectOf({ id: isText, record: isObject })),
    plan: isObject,
    ledger: orNothing(isObject),
    warnings: Array.isArray,
    receipt: isObject,
  }),
  assemble: objectOf({ ledger: isObject, receipt: isObject, metadata: isObject }),
  assess: isObject,
  about: objectOf({ current: named, earlier: named, upcoming: named }),
  related: listOf(objectOf({ id: isText, record: isObject })),
  why: isObject,
  checkFiles: isNothing,
  acknowledge: isNothing,
  link: isObject,
  strengthen: isObject,
  weakenLinks: isObject,
  linked: objects,
  predict: isObject,
  resolvePrediction: isObject,
  predictionErrors: objects,
  proposals: objects,
  expireProposals: isNumber,
  events: objects,
  exportPart: objectOf({ bytes: (value) => value instanceof Uint8Array, isLast: isBoolean }),
  endExport: isNothing,
  importPart: isNothing,
  finishImport: written,
  endImport: isNothing,
  embedNext: objectOf({ records: listOf(objectOf({ chunks: objects })), after: isNumber, isLast: isBoolean }),
  attachVectors: isNumber,
  compact: isObject,
  integrityCheck: objectOf({ ok: isBoolean }),
  retain: objectOf({ records: named }),
  status: objectOf({ memoryBytes: isObject, vectors: isObject, degraded: listOf(isText) }),
  locks: objectOf({ locks: named }),
  storedLocks: objectOf({ record: isText, idleMs: isNumber }),
  lockNow: isNothing,
  destroy: isNothing,
}

export function isAnswerOf(method: RemoteMethod, value: unknown): boolean {
  return checks[method](value)
}
