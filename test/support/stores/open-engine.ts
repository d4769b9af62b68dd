/** Opens the engine of every test that needs one: new, in memory, in this process. Nothing is mocked. */

import type { ContextPackage } from '../../../src/core/model/assemble.ts'
import type { LedgerEntry, RecallResult } from '../../../src/core/model/result.ts'
import type { Answer, Arguments, Method } from '../../../src/protocol/engine-api.ts'
import type { EmbeddingPort, EngineOptions } from '../../../src/protocol/engine-options.ts'
import { type PackedResult, unpackResult } from '../../../src/protocol/packed-result.ts'
import { createEngine, type Engine } from '../../../worker/engine/engine.ts'
import { engineOptions } from './engine-options.ts'
import { patientTimers } from './patient-timers.ts'

export const startOfTime = Date.UTC(2026, 0, 1)

/** A recall whose test reads the ledger, and so asks for it (`ledger: true`): otherwise the ledger is null at run time. */
export type Accounted = RecallResult & { readonly ledger: readonly LedgerEntry[] }

/** Answers as a client returns them: with the ledger of a recall written out. */
export type TestAnswer<V extends Method> = V extends 'recall'
  ? Accounted
  : V extends 'assemble'
    ? ContextPackage
    : Answer<V>

export interface TestEngine {
  readonly engine: Engine
  /** Calls a method at a given time (default: the start of time). */
  call<V extends Method>(method: V, request: Arguments<V>, now?: number): Promise<TestAnswer<V>>
}

export async function openEngine(
  options: Partial<EngineOptions> = {},
  embedding: EmbeddingPort | null = null,
): Promise<TestEngine> {
  const engine = await createEngine(
    {
      ...engineOptions,
      ...options,
    },
    embedding,
    undefined,
    { timers: patientTimers },
  )
  return {
    engine,
    async call<V extends Method>(method: V, request: Arguments<V>, now = startOfTime) {
      return asHandedOn(method, await engine.call(method, request, { now }))
    },
  }
}

/** Unpacks what a client would. */
export function asHandedOn<V extends Method>(method: V, answer: Answer<V>): TestAnswer<V> {
  const isPacked = method === 'recall' || method === 'assemble'
  return (isPacked ? unpackResult(answer as PackedResult) : answer) as TestAnswer<V>
}
