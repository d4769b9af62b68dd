/**
 * Replaces the interface `SemanticEmbedder` of the browser, in the shape of its public tests (web-platform-tests, ai/semantic_embedder) and of the
 * polyfill of GoogleChromeLabs: vectors of letters, metadata, task types, aborts, destruction, and refusal of long texts.
 */
import type { SemanticModels, SemanticResult } from '../../../src/embedders/index.ts'

export interface StandIn extends SemanticModels {
  /** What each call of `embed` was given. */
  readonly calls: { readonly texts: readonly string[]; readonly taskType: string | undefined }[]
  created: number
  destroyed: number
  availabilityNow: string
  /** Undefined: the results have no metadata. */
  space: string | undefined
}

export interface StandInOptions {
  readonly availability?: string
  readonly space?: string | undefined
  readonly dimensions?: number
  /** Longer texts are refused. */
  readonly longest?: number
  /** Whether the download needs a click. */
  readonly needsClick?: boolean
}

const taskTypes = ['semantic-similarity', 'retrieval-query', 'retrieval-document', 'classification', 'clustering']

export function semanticModels(options: StandInOptions = {}): StandIn {
  const { availability = 'available', dimensions = 32, longest = 4_000, needsClick = false } = options
  const standIn: StandIn = {
    calls: [],
    created: 0,
    destroyed: 0,
    availabilityNow: availability,
    space: 'space' in options ? options.space : 'embeddinggemma-300m',
    availability: async () => standIn.availabilityNow,
    async create({ signal, monitor }) {
      signal?.throwIfAborted()
      if (standIn.availabilityNow === 'unavailable') throw new DOMException('No model', 'NotSupportedError')
      if (standIn.availabilityNow !== 'available') {
        if (needsClick) throw new DOMException('Requires a user gesture', 'NotAllowedError')
        const events = new EventTarget()
        monitor?.(events)
        for (const loaded of [0, 0.5, 1]) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          signal?.throwIfAborted()
          events.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }))
        }
        standIn.availabilityNow = 'available'
      }
      standIn.created += 1
      let isDestroyed = false
      return {
        async embed(texts, { taskType, signal: own } = {}): Promise<SemanticResult> {
          if (isDestroyed) throw new DOMException('The embedder has been destroyed.', 'AbortError')
          own?.throwIfAborted()
          if (taskType !== undefined && !taskTypes.includes(taskType)) throw new TypeError(`not a task: ${taskType}`)
          standIn.calls.push({ texts: [...texts], taskType })
          await new Promise((resolve) => setTimeout(resolve, 1))
          own?.throwIfAborted()
          if (texts.some((text) => text.length > longest)) throw new DOMException('Too long', 'QuotaExceededError')
          const embeddings = texts.map((text) => ({ values: vectorOf(text, dimensions) }))
          return standIn.space === undefined
            ? { embeddings }
            : { embeddings, metadata: { embeddingSpace: standIn.space } }
        },
        destroy() {
          isDestroyed = true
          standIn.destroyed += 1
        },
      }
    },
  }
  return standIn
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  const letters = ` ${text.toLowerCase()} `
  for (let at = 1; at < letters.length; at++)
    vector[(letters.charCodeAt(at - 1) * 31 + letters.charCodeAt(at)) % dimensions]! += 1
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
