/**
 * Guards the embedder of the engine, and decides what it may embed without its table of other languages: only English. Texts that are
 * surely not English then get zeros, which no other vector is near to. If the store names other languages, they wait for the table.
 */
import { problemOf, type RecallError } from '../../src/core/model/errors.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { isOtherScript, isPlainlyEnglish } from '../../src/core/text/tokenise/guess-english.ts'
import { builtInSpace, needsLanguagesTable } from '../../src/protocol/embedder.ts'
import type { EmbeddingPort } from '../../src/protocol/engine-options.ts'
import {
  type EmbedCall,
  type Embedded,
  type GuardedEmbedder,
  guardEmbedder,
} from '../../src/protocol/guarded-embedder.ts'
import type { Timers } from '../../src/protocol/timers.ts'
import type { EmbeddingSpace } from '../store/port/vectors.ts'

export interface EmbeddingSettings {
  readonly port: EmbeddingPort
  readonly space: EmbeddingSpace
  readonly timers: Timers
  /** The languages of the store now. */
  readonly languages: () => readonly string[]
}

export function guardEmbedding({ port, space, timers, languages }: EmbeddingSettings): GuardedEmbedder {
  const settings = { deadlineMs: tuning.builtInEmbedMs, timers }
  const shape = { space: space.name, dimensions: space.dimensions, failure: port.failure }
  const english = guardEmbedder(
    { ...shape, embed: (texts, role) => port.embed(texts, role, { only: 'english' }) },
    settings,
  )
  const whole = guardEmbedder({ ...shape, embed: (texts, role) => port.embed(texts, role) }, settings)
  if (space.name !== builtInSpace.name) return whole
  const isWide = () => needsLanguagesTable(languages())
  const zeros = () => new Float32Array(space.dimensions)

  const embedEnglish = async (texts: readonly string[], role: 'query' | 'document', call?: EmbedCall) =>
    embedSome(english, texts, (text) => !isOtherScript(text), zeros, role, call)
  const embedAny = async (texts: readonly string[], role: 'query' | 'document', call?: EmbedCall) => {
    const embedded = await whole.embed(texts, role, call)
    if (embedded.kind !== 'failed' || isOfEnglish(embedded.error) || !texts.some(isPlainlyEnglish)) return embedded
    return embedSome(english, texts, isPlainlyEnglish, () => embedded.error, role, call)
  }
  /** Why texts that are not English have no vectors; null if nothing is missing. */
  const missing = () => (isWide() ? whole.failure() : null)
  return {
    space: space.name,
    embed: (texts, role, call) => (isWide() ? embedAny : embedEnglish)(texts, role, call),
    failure() {
      const error = missing()
      return english.failure() ?? (error !== null && isOfEnglish(error) ? error : null)
    },
    limit() {
      const error = missing()
      return error === null
        ? null
        : `texts that are not English use only their words: ${problemOf(error)}. ${error.hint ?? ''}`.trim()
    },
    onRecovery(listener) {
      english.onRecovery(listener)
      whole.onRecovery(listener)
    },
  }
}

/** Embeds the texts that pass; `other` makes the elements of the rest. */
async function embedSome(
  embedder: GuardedEmbedder,
  texts: readonly string[],
  passes: (text: string) => boolean,
  other: () => Float32Array | RecallError,
  role: 'query' | 'document',
  call: EmbedCall | undefined,
): Promise<Embedded> {
  const passing = texts.flatMap((text, i) => (passes(text) ? [i] : []))
  const embedded = await embedder.embed(
    passing.map((i) => texts[i]!),
    role,
    call,
  )
  if (embedded.kind !== 'made') return embedded
  const vectors = texts.map(other)
  for (const [nth, i] of passing.entries()) vectors[i] = embedded.vectors[nth]!
  return { kind: 'made', vectors }
}

/** Whether the error concerns the English table, which every text needs. */
function isOfEnglish({ field }: RecallError): boolean {
  return field === 'assets.embedding'
}
