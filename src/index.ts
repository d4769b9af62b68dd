/** The entry `scrubjay`: what an app needs to store and to recall. Pure functions are in `scrubjay/core`. */
export type { Assets, OpenOptions } from './client/api/open-options.ts'
export type {
  CallOptions,
  CompactOptions,
  ConflictResolver,
  ExportOptions,
  ImportOptions,
  ImportSource,
  IntegrityOptions,
  Live,
  LiveOptions,
  PutOptions,
  Recall,
  RememberOptions,
  RetainOptions,
} from './client/api/recall.ts'
export {
  type ConvertedStore,
  type ConvertStoreOptions,
  decryptStore,
  encryptStore,
} from './client/convert-store.ts'
export { type DestroyedStore, type DestroyStoreOptions, destroyStore } from './client/destroy-store.ts'
export { openRecall } from './client/open.ts'
export { type StoresOptions, stores } from './client/stores.ts'
export type { FileCheck, FileState, ForgottenFile } from './core/evidence/freshness.ts'
export type { PredictedValue, Prediction } from './core/evidence/prediction-error.ts'
export type { ExtractedTurn, Fact } from './core/ingest/facts-to-records.ts'
export type { Message, MessagePart, MessagesOptions } from './core/ingest/messages-to-records.ts'
export type * from './core/model/assemble.ts'
export type * from './core/model/authority.ts'
export { type ErrorCode, type ErrorDetails, errorCodes, RecallError } from './core/model/errors.ts'
export type * from './core/model/explanation.ts'
export type * from './core/model/learned.ts'
export type * from './core/model/policy.ts'
export type * from './core/model/query.ts'
export { type ReasonCodeName, reasonCodes } from './core/model/reason-codes.ts'
export type * from './core/model/receipts.ts'
export type * from './core/model/record.ts'
export type * from './core/model/result.ts'
export type { RetentionConfig } from './core/model/retention.ts'
export { type RiskFlag, type RiskFlagName, riskFlags } from './core/model/risk-flags.ts'
export type * from './core/model/status.ts'
export { type PolicyName, policies } from './core/policies/policies.ts'
export type { Embedder } from './protocol/embedder.ts'
export type { EngineEvent, EventListener, Progress } from './protocol/events.ts'
export type { Extensions } from './protocol/extensions.ts'
export type { StoredStore } from './protocol/stored-store.ts'
export type { RecallLocks, StoreKeys } from './client/api/locks.ts'
export type { DerivableKey, LockInput, PasskeyOptions, StoreLock } from './core/model/lock.ts'
