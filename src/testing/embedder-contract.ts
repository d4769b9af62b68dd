/** Tests what the engine needs of an embedder. Embedders that make no vectors (`precomputed`) pass, too. */
import { tuning } from '../core/model/tuning.ts'
import type { Embedder } from '../protocol/embedder.ts'
import { type ContractCase, expectSame, expectThat } from './contract.ts'

export type CreateEmbedder = () => Embedder | Promise<Embedder>

const texts = [
  'The jay hides acorns in autumn.',
  'acorn',
  'Deploying the documentation site to production',
  '松鸦会记住自己把食物藏在哪里',
  'a much longer text, '.repeat(60),
] as const

/** Unusual texts, all different. */
const oddTexts = ['', ' ', '🐦', '\ud800', '\0', 'x'.repeat(10_000)] as const

export const embedderContract: readonly ContractCase<CreateEmbedder>[] = [
  {
    name: '[V4] names its space, and how long its vectors are',
    run: async (create) => {
      const { space, dimensions } = await create()
      expectThat(typeof space === 'string' && space.trim() !== '', '`space` must be a text that is not blank')
      expectThat(
        Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= tuning.maxDimensions,
        `\`dimensions\` must be an integer from 1 to ${tuning.maxDimensions}`,
      )
      const again = await create()
      expectSame([again.space, again.dimensions], [space, dimensions], 'space and dimensions of a second embedder')
    },
  },
  {
    name: 'makes one vector of finite numbers per text, or none at all',
    run: async (create) => {
      const embedder = await create()
      for (const role of ['document', 'query'] as const) {
        for (const batch of [texts, oddTexts]) checkVectors(await embedder.embed(batch, role), batch.length, embedder)
      }
      expectSame(await embedder.embed([], 'document'), [], 'vectors of no texts')
    },
  },
  {
    name: '[D1] gives the same text the same vector, alone, in a batch, and at another time',
    run: async (create) => {
      const embedder = await create()
      const together = await embedder.embed(texts, 'document')
      if (together.length === 0) return
      for (const [i, text] of texts.entries()) {
        const [alone] = await embedder.embed([text], 'document')
        expectThat(isNear(alone!, together[i]!), `another vector for ${text.slice(0, 20)}`)
      }
      const other = await (await create()).embed([texts[0]], 'document')
      expectThat(isNear(other[0]!, together[0]!), 'another vector from a second embedder')
    },
  },
  {
    name: 'keeps order: the vector of a text does not depend on its position in the batch',
    run: async (create) => {
      const embedder = await create()
      const forwards = await embedder.embed(texts, 'document')
      const backwards = (await embedder.embed(texts.toReversed(), 'document')).toReversed()
      for (const [i, vector] of forwards.entries()) {
        expectThat(isNear(vector, backwards[i]!), `text ${i} has another vector in another place`)
      }
    },
  },
  {
    name: 'returns vectors that the caller may change: a change of one changes no other',
    run: async (create) => {
      const embedder = await create()
      const [first] = await embedder.embed(['acorn'], 'query')
      if (first === undefined) return
      const before = Array.from(first)
      first.fill(0)
      const [second] = await embedder.embed(['acorn'], 'query')
      expectThat(isNear(second!, Float32Array.from(before)), 'the vector given before was changed')
    },
  },
  {
    name: 'answers each of several overlapping calls with its own vectors',
    run: async (create) => {
      const embedder = await create()
      const one = await embedder.embed(texts, 'document')
      const many = await Promise.all(texts.map((text) => embedder.embed([text], 'document')))
      for (const [i, vector] of one.entries()) {
        expectThat(isNear(many[i]![0]!, vector), `text ${i} got the vector of another`)
      }
    },
  },
  {
    name: '[E2] has a valid timeoutMs and makesVectors, where they are set',
    run: async (create) => {
      const { timeoutMs, makesVectors, embed } = await create()
      expectThat(
        timeoutMs === undefined || (Number.isFinite(timeoutMs) && timeoutMs > 0),
        `timeoutMs must be a positive number of ms or absent, got ${timeoutMs}`,
      )
      expectThat(
        makesVectors === undefined || typeof makesVectors === 'boolean',
        'makesVectors must be a boolean or absent',
      )
      expectThat(typeof embed === 'function', 'embed must be a function')
    },
  },
  {
    name: '[E2] settles when its signal was aborted before the call, and works afterwards',
    run: async (create) => {
      const embedder = await create()
      await settled(embedder.embed(texts, 'document', { signal: AbortSignal.abort() }), embedder)
      checkVectors(await embedder.embed(texts, 'document'), texts.length, embedder)
    },
  },
  {
    name: '[E2] an aborted call does not affect another running call',
    run: async (create) => {
      const embedder = await create()
      const controller = new AbortController()
      const aborted = settled(embedder.embed(texts, 'document', { signal: controller.signal }), embedder)
      const other = embedder.embed(['acorn'], 'query')
      controller.abort()
      await aborted
      checkVectors(await other, 1, embedder)
    },
  },
  {
    name: '[E2] accepts the largest batch of the engine, and does not change the list',
    run: async (create) => {
      const embedder = await create()
      const many = Array.from({ length: 256 }, (_, i) => `acorn ${i}`)
      const given = Object.freeze([...many])
      checkVectors(await embedder.embed(given, 'document'), given.length, embedder)
      expectSame(given, many, 'the texts after the call')
    },
  },
  {
    name: 'rejects or answers when it is aborted, and works afterwards',
    run: async (create) => {
      const embedder = await create()
      const controller = new AbortController()
      const work = embedder.embed(texts, 'document', { signal: controller.signal }).catch(() => undefined)
      controller.abort()
      await work
      checkVectors(await embedder.embed(texts, 'document'), texts.length, embedder)
    },
  },
]

/** Lowest cosine of two vectors of one text: with int8 weights or on a GPU the last bits may differ between batches. */
const nearest = 0.9999

function isNear(one: Float32Array, other: Float32Array): boolean {
  let [dot, a, b] = [0, 0, 0]
  for (const [i, value] of one.entries()) {
    const with_ = other[i]!
    dot += value * with_
    a += value * value
    b += with_ * with_
  }
  return a === 0 || b === 0 ? a === b : dot / Math.sqrt(a * b) >= nearest
}

/** Time (ms) in which an aborted call must settle; the engine does not wait longer. */
const defaultTimeoutMs = 10_000

/** Waits until an aborted call settles. If it rejects, it must be with an Error, because the app shows its message. */
async function settled(call: Promise<unknown>, { timeoutMs = defaultTimeoutMs }: Embedder): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('an aborted call did not settle'), timeoutMs)
  })
  const ended = call.then(
    () => '',
    (error: unknown) => (error instanceof Error ? '' : 'an aborted call must reject with an Error'),
  )
  const problem = await Promise.race([ended, late])
  clearTimeout(timer)
  expectThat(problem === '', problem)
}

function checkVectors(vectors: readonly Float32Array[], count: number, { dimensions }: Embedder): void {
  if (vectors.length === 0) return
  expectSame(vectors.length, count, 'number of vectors')
  for (const [i, vector] of vectors.entries()) {
    expectThat(vector instanceof Float32Array, `vector ${i} must be a Float32Array`)
    expectSame(vector.length, dimensions, `length of vector ${i}`)
    expectThat(vector.every(Number.isFinite), `vector ${i} must have only finite numbers`)
  }
}
