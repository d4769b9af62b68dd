/** Tests captured answers: a file is checked without the store, and a change of any part of it is found. */
import { beforeAll, describe, expect, test } from 'vitest'
import { captureAnswer, verifyAnswer } from '../../../src/core/captured-answer.ts'
import type { RecallResult } from '../../../src/core/model/result.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import { fromTypedJson, toTypedJson } from '../../../src/core/text/hash/typed-json.ts'
import { createRandom } from '../../support/data/random.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const random = createRandom(3)
const { call } = await openEngine({ space: { name: 'test', dimensions: 8 } })

beforeAll(async () => {
  const batch = Array.from({ length: 40 }, (_, i) => ({
    id: `r${i}`,
    body: `jay ${i % 7} hides seed ${i % 20} in src/nest.ts`,
    metadata: { $f64: [1], plain: true },
    vectors: i % 6 === 0 ? [] : random.vector(8),
  }))
  await call('put', { batch })
})

async function answered(query: object): Promise<RecallResult> {
  return (await call('recall', {
    query: {
      text: 'which jay hides seed 3 in src/nest.ts',
      vector: random.vector(8),
      limit: 4,
      capture: true,
      ...query,
    },
  })) as RecallResult
}

const inFile = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('a captured answer', () => {
  test.each(everyPolicy)('[D1] of %s is checked from its file alone', async (_name, policy) => {
    const result = await answered({ policy })
    const { facts: _facts, tookMs: _tookMs, ...answer } = result
    const checked = verifyAnswer(inFile(captureAnswer(result)))
    expect(canonicalJson(checked.answer)).toBe(canonicalJson(answer))
    expect(checked.question).toMatchObject({ text: 'which jay hides seed 3 in src/nest.ts' })
  })

  test('is refused, by the name of the part, when any part of it was changed', async () => {
    const file = inFile(captureAnswer(await answered({})))
    const changes: readonly (readonly [string, (copy: typeof file) => void])[] = [
      ['question', (copy) => (copy.question.text = 'another question')],
      ['policy', (copy) => (copy.policy.version += 1)],
      ['answer', (copy) => (copy.answer.evidence.strength = 'none')],
      ['answer', (copy) => copy.answer.hits.pop()],
      ['facts', (copy) => (copy.facts.facts.revision += 1)],
      ['facts', (copy) => delete copy.facts],
      ['signature', (copy) => (copy.signature = 'x')],
      ['digests.note', (copy) => (copy.digests.note = 'x')],
    ]
    for (const [field, change] of changes) {
      const copy = structuredClone(file)
      change(copy)
      expect(() => verifyAnswer(copy)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', field }))
    }
  })

  test('is refused when the digest of the changed part was computed again', async () => {
    const file = inFile(captureAnswer(await answered({})))
    const changes: readonly (readonly [string, string, (copy: typeof file) => void])[] = [
      ['answer', 'answer', (copy) => (copy.answer.evidence.strength = 'none')],
      ['answer', 'answer', (copy) => (copy.answer.hits[0].reasons = ['because I say so'])],
      ['question', 'question', (copy) => (copy.question.text = 'another question')],
      ['policy', 'policy', (copy) => (copy.policy.version += 1)],
      ['facts', 'answer', (copy) => (copy.facts.facts.candidates.ids[0] = 'other')],
      ['facts', 'facts', (copy) => delete copy.facts.facts.candidates.lexical],
      ['facts', 'facts', (copy) => (copy.facts = { $f64: [0], times: 1e15 })],
    ]
    for (const [part, field, change] of changes) {
      const copy = structuredClone(file)
      change(copy)
      copy.digests[part] = sha256Hex(canonicalJson(copy[part]))
      expect(() => verifyAnswer(copy), part).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', field }))
    }
    // Control: an unchanged copy passes.
    expect(verifyAnswer(structuredClone(file)).answer.hits).toHaveLength(4)
  })

  test.each([[null], [[]], ['text'], [{}], [{ format: 'scrubjay-answer', version: 2 }]])('%j is refused', (file) => {
    expect(() => verifyAnswer(file)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', field: 'format' }))
  })

  test('needs an answer with facts', async () => {
    const { facts: _facts, ...without } = await answered({})
    expect(() => captureAnswer(without as RecallResult)).toThrow(expect.objectContaining({ field: 'result.facts' }))
  })
})

describe('typed JSON', () => {
  test('returns the same values', () => {
    const value = {
      columns: [Float64Array.of(1, Number.NaN, -0, Infinity), new Float32Array(5).fill(0.1), Int32Array.of(-1, 2)],
      empty: new Uint8Array(0),
      map: new Map([[3, { $map: 'not a map', __proto__x: 1 }]]),
      numbers: [-0, Number.NaN, -Infinity, 0.1],
      nested: { $object: 1 },
    }
    expect(fromTypedJson(inFile(toTypedJson(value)))).toEqual(value)
  })

  test.each([
    [{ $f64: 'text' }],
    [{ $f64: ['Inf'] }],
    [{ $f64: [0], times: 2 ** 40 }],
    [{ $map: [1] }],
    [{ $other: 1 }],
  ])('%j is refused', (json) => expect(() => fromTypedJson(json)).toThrow(TypeError))
})
