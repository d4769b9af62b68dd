/**
 * What a context package does to what is known, inside the caller's transaction: reads count, what surfaced waits as a
 * proposal, what was pulled for nothing is trusted a little less. Of one package each of it happens once.
 */
import { applyRead } from '../../../src/core/learning/apply-outcome.ts'
import { type ConfidenceRule, updateConfidence } from '../../../src/core/learning/update-confidence.ts'
import type { AssemblyEffects } from '../../../src/core/model/assemble.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { LearningChanges } from '../../store/port/learning.ts'
import type { Store } from '../../store/port/store.ts'

/** Records forgotten since are left out. `digest`: of the receipt. */
export function applyEffects(
  changes: LearningChanges,
  store: Store,
  { surfaced, suppressed, scope }: AssemblyEffects,
  { digest, rule }: { readonly digest: string; readonly rule: ConfidenceRule },
): void {
  if (wasDone(changes, `effects-${digest}`)) return
  for (const [id, key] of stored(store, surfaced)) {
    changes.propose(scope, key, 'proactive')
    changes.log('propose', id, { scope })
  }
  for (const [id, key] of stored(store, suppressed)) {
    const before = changes.stateOf(key)
    const confidence = updateConfidence(before.confidence, tuning.suppressionSignal, rule)
    changes.setState(key, before, { ...before, confidence })
    changes.log('confidence', id, { confidence: confidence.confidence, evidence: confidence.evidence })
  }
}

/** Counts the reads of a package at once; `acknowledge` then takes back those that were of no use. */
export function countReads(
  changes: LearningChanges,
  store: Store,
  { reads }: AssemblyEffects,
  { digest, at }: { readonly digest: string; readonly at: number },
): void {
  if (wasDone(changes, readsName(digest))) return
  for (const [id, key] of stored(store, reads)) {
    const before = changes.stateOf(key)
    changes.setState(key, before, applyRead(before, at))
    changes.log('read', id)
  }
}

/** Whether the reads of this package were counted at once. */
export function readsWereCounted(changes: LearningChanges, digest: string): boolean {
  return changes.isDone(readsName(digest))
}

function readsName(digest: string): string {
  return `reads-${digest}`
}

function wasDone(changes: LearningChanges, name: string): boolean {
  if (changes.isDone(name)) return true
  changes.markDone(name)
  return false
}

function stored(store: Store, ids: readonly string[]): readonly (readonly [id: string, key: number])[] {
  return ids.flatMap((id) => {
    const key = store.keyOf(id)
    return key === undefined ? [] : [[id, key] as const]
  })
}
