/**
 * The entry `scrubjay/core`: the pure functions, literals and types. Runs wherever ES2023 runs, without WASM, worker or clock.
 */

export { type Budget, type Fitted, fitBudget } from './assemble/budget.ts'
export { type Entry, type Formatter, formatterOf } from './assemble/formats.ts'
export { type Merged, merge } from './assemble/merge.ts'
export { orderingHints } from './assemble/ordering-hints.ts'
export { type AssemblyFacts, type PackedPackage, type Pushed, packContext } from './assemble/pack-context.ts'
export { spread } from './assemble/spread.ts'
export { type CanSurface, type Surfaced, type SurfacingRules, surface } from './assemble/surface.ts'
export { type CapturedAnswer, type CheckedAnswer, captureAnswer, verifyAnswer } from './captured-answer.ts'
export {
  type BloomFilter,
  type BloomFilterOptions,
  type BloomFilterState,
  createExistenceFilter,
  type ExistenceFilter,
  importExistenceFilter,
} from './collections/existence-filter.ts'
export { type CoOccurrenceEdge, type PropagateOptions, propagate } from './collections/propagate.ts'
export { type Decision, decide, deciding } from './decide.ts'
export { type FileState, type FreshnessOptions, fileStatesByPath, freshnessOf } from './evidence/freshness.ts'
export { type PredictedValue, type Prediction, predictionError } from './evidence/prediction-error.ts'
export { type QualityOptions, qualityOf } from './evidence/quality-of.ts'
export { retrievalQuality } from './evidence/retrieval-quality.ts'
export {
  explain,
  type RecordPosition,
  /** @deprecated Renamed to `RecordPosition`; goes with the next minor version. */
  type RecordPosition as Whereabouts,
} from './explain.ts'
export {
  type FusedHit,
  type FusionOptions,
  type RankedLists,
  reciprocalRankFusion,
} from './fusion/reciprocal-rank-fusion.ts'
export { combineTiers, type TierSource, tierOf } from './ingest/authority-tier.ts'
export {
  type EmbeddingChunk,
  /** @deprecated Use `EmbeddingChunk`. Removed in the next minor version. */
  type EmbeddingChunk as EmbeddingPiece,
  embeddingChunks,
  /** @deprecated Use `embeddingChunks`. Removed in the next minor version. */
  embeddingChunks as embeddingPieces,
} from './ingest/embedding-text.ts'
export { type ExtractedTurn, type Fact, factsToRecords } from './ingest/facts-to-records.ts'
export {
  type Message,
  type MessagePart,
  type MessagesOptions,
  messagesToRecords,
} from './ingest/messages-to-records.ts'
export { parseAuthorityConfig } from './ingest/parse-authority.ts'
export { type ParsedRecord, parseRecord } from './ingest/parse-record.ts'
export {
  applyOutcome,
  type LearnedState,
  nothingLearned,
  type OutcomeContext,
  type OutcomeResult,
} from './learning/apply-outcome.ts'
export { excessLinks, linkWeight, strengthenedWeight, weakenedWeight } from './learning/co-occurrence.ts'
export {
  /** @deprecated Use `CompositeComponent`. Removed in the next minor version. */
  type CompositeComponent as CompositeArm,
  type CompositeComponent,
  /** @deprecated Use `compositeComponents`. Removed in the next minor version. */
  compositeComponents as compositeArms,
  compositeComponents,
  compositeScore,
} from './learning/composite-score.ts'
export { type Cyclic, cyclicScore, type Due, dueScore } from './learning/cyclic-score.ts'
export { type Decaying, decayScore } from './learning/decay-score.ts'
export { type OutcomeEffects, outcomes } from './learning/outcomes.ts'
export { summariseErrors, type TimedError } from './learning/summarise-errors.ts'
export { type ConfidenceRule, type ConfidenceState, updateConfidence } from './learning/update-confidence.ts'
export { writeDecision } from './learning/write-decision.ts'
export { createLexicalScorer, type LexicalScorer } from './lexical/bm25.ts'
export * from './model/assemble.ts'
export type * from './model/authority.ts'
export { type ErrorCode, type ErrorDetails, errorCodes, RecallError, recallError } from './model/errors.ts'
export type * from './model/explanation.ts'
export type { FactNeeds, NumberFact } from './model/fact-needs.ts'
export type * from './model/facts.ts'
export type * from './model/learned.ts'
export type * from './model/policy.ts'
export type * from './model/query.ts'
export type * from './model/query-plan.ts'
export { type ReasonCategory, type ReasonCode, type ReasonCodeName, reasonCodes } from './model/reason-codes.ts'
export * from './model/receipts.ts'
export * from './model/record.ts'
export * from './model/result.ts'
export { type RiskFlag, type RiskFlagName, riskFlags } from './model/risk-flags.ts'
export * from './model/status.ts'
export { tuning } from './model/tuning.ts'
export { cos } from './number/cos.ts'
export { exp } from './number/exp.ts'
export { log } from './number/log.ts'
export { pow } from './number/pow.ts'
export { compareRanked } from './order/order.ts'
export { checkPolicy } from './policies/check-policy.ts'
export { findPolicy } from './policies/find-policy.ts'
export { type PolicyName, policies } from './policies/policies.ts'
export { type AuthorityBlockOptions, type AuthorityHit, formatAuthorityBlock } from './present/authority-block.ts'
export { countHidden, escapeItem, escapeLine, escapeText } from './present/escape.ts'
export { type PackedLedger, unpackLedger } from './present/ledger.ts'
export { formatRecallBlocks, type RecallBlock, type RecallBlocksOptions } from './present/recall-blocks.ts'
export { policyHash } from './present/receipt.ts'
export { type PromptPart, type ReflectHit, type ReflectRequest, reflectPrompt } from './present/reflect-prompt.ts'
export { snippet } from './present/snippet.ts'
export { type ParsedAssembly, parseAssembleRequest, parseAssessRequest } from './query/parse-assemble.ts'
export { parseListFilter, parseRecallQuery, parseScope } from './query/parse-query.ts'
export { matchExpression } from './query/parse-text.ts'
export { type PlanSettings, planQuery } from './query/plan-query.ts'
export { type CapturedFacts, replay } from './replay.ts'
export { type Signal, type SignalContext } from './signals/signal.ts'
export { signals } from './signals/signals.ts'
export { type Contradiction, contradictionOf, subjectWeight, type WeightOf } from './similarity/contradicts.ts'
export { type ExactHit, type ExactRecord, exactSearch } from './similarity/exact-search.ts'
export {
  isNearDuplicate,
  type NearDuplicateOptions,
  similarity,
  type TextSignature,
  textSignature,
} from './similarity/near-duplicate.ts'
export { type Statement, type StatementKind, statementsOf } from './similarity/statements.ts'
export {
  type ChunkOptions,
  chunkText,
  type TextChunk,
  /** @deprecated Use `TextChunk`. Removed in the next minor version. */
  type TextChunk as TextPiece,
} from './text/chunk.ts'
export { type ExtractedKind, type ExtractedTerm, extractTerms } from './text/extract/extract.ts'
export { canonicalJson } from './text/hash/canonical.ts'
export { compareCodePoints } from './text/hash/code-point-order.ts'
export { contentHash } from './text/hash/content-hash.ts'
export { sha256Hex } from './text/hash/sha256.ts'
export { type FoundSecret, findSecrets, redactSecrets } from './text/redact-secrets.ts'
export { ctxsiftTerms, foldForRuns } from './text/tokenise/path-tokens.ts'
export { stem } from './text/tokenise/stem.ts'
export { type Token, tokenise } from './text/tokenise/tokenise.ts'
export { estimateTokens } from './text/tokens/token-count.ts'
