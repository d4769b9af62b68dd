/**
 * Applies the effects of a context package to learned state, inside the caller's transaction: counts reads, stores pushed
 * records as proposals and lowers the confidence of suppressed records. Each effect is applied at most once per package.
 */
import type { ConfidenceRule } from '../../../src/core/learning/update-confidence.ts'
import type { AssemblyEffects } from '../../../src/core/model/assemble.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { LearningChanges } from '../../store/port/learning.ts'
import type { Store } from '../../store/port/store.ts'

/** Skips records that are forgotten by now. `digest`: of the receipt. */
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
    const effect = { kind: 'signal', signal: tuning.suppressionSignal, rule } as const
    const { confidence, evidence } = changes.report(key, [{ effect }]).confidence
    changes.log('confidence', id, { confidence, evidence })
  }
}

/** Counts the reads of a package at once. `acknowledge` takes back those that were not used. */
export function countReads(
  changes: LearningChanges,
  store: Store,
  { reads }: AssemblyEffects,
  { digest, at }: { readonly digest: string; readonly at: number },
): void {
  if (wasDone(changes, readsName(digest))) return
  for (const [id, key] of stored(store, reads)) {
    changes.report(key, [{ effect: { kind: 'read', atMs: at } }])
    changes.log('read', id)
  }
}

/** Whether `countReads` counted the reads of this package. */
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
