/**
 * [E1] Checks that every method answers, or rejects with a typed error that ends in one full stop, whatever the
 * arguments.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RecallError } from '../../../src/core/model/errors.ts'
import { precomputed } from '../../../src/embedders/index.ts'
import { openRecall, type Recall } from '../../../src/index.ts'
import { createRandom } from '../../support/data/random.ts'

let plain: Recall
let embedding: Recall

beforeAll(async () => {
  const options = { storage: 'memory', runtime: 'inline', metadataKeys: ['m'] } as const
  plain = await openRecall({ ...options, name: 'fuzz', embedder: null })
  embedding = await openRecall({ ...options, name: 'fuzz embedding', embedder: precomputed(3, 's') })
  for (const store of [plain, embedding]) await store.put({ id: 'a', body: 'deploy friday' })
})
afterAll(() => Promise.all([plain.close(), embedding.close()]))

const circle: Record<string, unknown> = {}
circle['self'] = circle
const hostileValues: readonly unknown[] = [
  [undefined, null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e308, '', 'a', 'deploy', '\ud800', 'x'.repeat(5_000)],
  [[], {}, [1], [null], ['a'], true, new Date(0), new Map(), new Set(), Symbol('s'), () => 1, 10n, new Uint8Array(3)],
  [new Float32Array(3), new Float32Array([Number.NaN]), Object.create(null), Object.create({ text: 'x' }), /x/],
  [
    JSON.parse('{"__proto__":{"polluted":1}}'),
    { constructor: 1 },
    Array(3),
    Array.from({ length: 20_000 }, () => 'x'),
    { length: 3 },
  ],
  [circle, new Error('e'), Promise.resolve(1), new Proxy({}, {}), globalThis],
].flat(1)

type Method = (store: Recall, any: () => never, of: (...names: string[]) => never) => unknown

const methods: Readonly<Record<string, Method>> = {
  put: (store, _, of) =>
    store.put({ id: 'a', body: 'b', ...(of('title', 'tags', 'metadata', 'vectors', 'cycles') as object) }),
  'put of several': (store, any) => store.put([any(), any()]),
  patch: (store, _, of) => store.patch('a', of('body', 'tags', 'id', 'vectors', 'metadata')),
  setReasons: (store, any) => store.setReasons('a', any()),
  setRisks: (store, any) => store.setRisks('a', any()),
  get: (store, any) => store.get(any()),
  list: (store, _, of) => store.list(of('limit', 'cursor', 'tags', 'reason', 'metadata', 'ids', 'text', 'order')),
  facets: (store, any, of) => store.facets({ keys: ['kind', any()], ...(of('scope', 'text', 'limit') as object) }),
  suggest: (store, any, of) => store.suggest(any(), of('scope', 'limit')),
  count: (store, _, of) => store.count(of('tags', 'time', 'ids', 'metadata', 'kind')),
  tags: (store, _, of) => store.tags(of('tags', 'project')),
  forget: (store, any) => store.forget({ ids: ['none'], project: any() }),
  verifyForgotten: (store, any) => store.verifyForgotten(any()),
  recall: (store, _, of) =>
    store.recall(of('text', 'vector', 'scope', 'limit', 'policy', 'prefer', 'files', 'asOf', 'now'), of('signal')),
  assemble: (store, _, of) =>
    store.assemble(of('text', 'cues', 'maxItems', 'maxTokens', 'format', 'suppress', 'overflow')),
  assess: (store, _, of) => store.assess(of('cues', 'text', 'vector', 'scope', 'probeLimit', 'policy')),
  related: (store, any, of) => store.related(any(), of('scope', 'limit', 'collapse', 'now')),
  about: (store, any, of) => store.about(any(), of('scope', 'limit', 'now', 'policy')),
  why: (store, any) => store.why(any(), any()),
  checkFiles: (store, any, of) => store.checkFiles([of('path', 'exists', 'sha256', 'mtime'), any()] as never),
  reflectPrompt: (store, _, of) => store.reflectPrompt(of('query', 'hits', 'authority')),
  acknowledge: (store, any) => store.acknowledge(any(), { a: any() }),
  link: (store, any) => store.link(any(), any(), any()),
  strengthen: (store, any) => store.strengthen('a', any(), any()),
  weakenLinks: (store, any) => store.weakenLinks(any()),
  linked: (store, any) => store.linked(any(), any()),
  predict: (store, any) => store.predict('a', any()),
  resolvePrediction: (store, any) => store.resolvePrediction('a', any()),
  predictionErrors: (store, _, of) => store.predictionErrors(of('ids', 'before', 'after')),
  proposals: (store, _, of) => store.proposals(of('project')),
  expireProposals: (store, any) => store.expireProposals(any()),
  events: (store, any) => store.events(any()),
  importFrom: (store, any, of) => store.importFrom(any(), of('mode', 'authorityTier', 'redact')),
  integrityCheck: (store, _, of) => store.integrityCheck(of('repair')),
  retain: (store) => store.retain({ dryRun: true }),
}

describe('hostile arguments', () => {
  test.each([1, 2, 3])(
    '[E1] 1,000 calls of every method answer or reject with a typed error, seed %i',
    async (seed) => {
      const { next, pick } = createRandom(seed)
      const any = () => pick(hostileValues) as never
      const of = (...names: string[]) => {
        if (next() < 0.1) return any()
        return Object.fromEntries(names.filter(() => next() < 0.4).map((name) => [name, any()])) as never
      }
      const wrong = new Set<string>()
      for (let i = 0; i < 1_000; i++) {
        const [name, method] = pick(Object.entries(methods))
        try {
          await method(next() < 0.5 ? plain : embedding, any, of)
        } catch (error) {
          if (!(error instanceof RecallError)) wrong.add(`${name}: ${String(error)}`)
          else if (/\.\. |\.\.$/.test(error.message)) wrong.add(`${name}: two full stops: ${error.message}`)
        }
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      }
      expect([...wrong]).toEqual([])
      for (const store of [plain, embedding]) expect((await store.integrityCheck()).problems).toEqual([])
    },
    120_000,
  )

  test('[E1] a patch that cannot be cloned is refused, and the error names its field', async () => {
    for (const store of [plain, embedding])
      await expect(store.patch('a', { body: (() => 1) as never })).rejects.toMatchObject({
        name: 'RecallError',
        field: 'body',
      })
  })

  test('[E1] options of retain that cannot be cloned are refused, and the error names the field', async () => {
    await expect(plain.retain({ dryRun: Symbol('x') as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'dryRun',
    })
  })

  test('[E1] an import from a source without bytes, or with options that cannot be cloned, is refused, and the error names the field', async () => {
    await expect(plain.importFrom(Promise.resolve(1) as never, { mode: 'merge' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'source',
    })
    const bytes: Uint8Array[] = []
    for await (const part of plain.exportTo()) bytes.push(part)
    await expect(plain.importFrom(bytes as never, { mode: (() => 1) as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'mode',
    })
  })
})
