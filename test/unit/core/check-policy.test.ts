/** [E1] Checks that an error in a policy literal has code, field and hint. */
import { describe, expect, it } from 'vitest'
import { checkPolicy } from '../../../src/core/policies/check-policy.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { everyPolicy, plainRanks } from '../../support/stores/every-policy.ts'
import { withPart } from './changed-policy.ts'

const { balanced, ctxsift, secondBrain } = policies

class Classy {
  readonly k1 = 1.2
}

const wrong: readonly (readonly [string, object, string, unknown, string | RegExp])[] = [
  ['a missing part', balanced, 'gateStatus', undefined, /Start from/],
  ['a missing part inside', balanced, 'lexical.k1', undefined, /Start from/],
  ['a missing reason code', balanced, 'reasonWeights.user_pinned', undefined, /Start from/],
  ['a missing category', balanced, 'categoryFactor.shape', undefined, /Start from/],
  ['a missing channel', balanced, 'depths.vector', undefined, /Start from/],
  ['an unknown part', balanced, 'gateStats', true, 'gateStatus'],
  ['an unknown part inside', balanced, 'fusion.lexicl', 1, 'lexical'],
  ['an unknown reason code', balanced, 'reasonWeights.user_pined', 1, 'user_pinned'],
  ['a part of another kind', balanced, 'thresholds', { strong: 1, weak: 1, weakLimit: 1 }, /Use one of /],
  ['text for a number', balanced, 'lexical.b', '0.75', /finite/],
  ['a number for text', balanced, 'name', 5, /string/],
  ['a number for a flag', balanced, 'gateStatus', 1, /boolean/],
  ['a list for a part', balanced, 'lexical', [1, 2], /literal/],
  ['null for a part', balanced, 'lexical', null, /literal/],
  ['NaN', balanced, 'lexical.k1', Number.NaN, /finite/],
  ['no end', balanced, 'recency', Infinity, /finite/],
  ['a big integer', balanced, 'version', 1n, /finite/],
  ['a function', balanced, 'recency', () => 1, /finite/],
  ['a function for a part', balanced, 'fusion.meaning', () => ({}), /literal/],
  ['a class instance', balanced, 'lexical', new Classy(), /literal/],
  ['a date', balanced, 'prefer', new Date(0), /literal/],
  ['a map', balanced, 'reasonWeights', new Map(), /literal/],
  ['an own __proto__', balanced, '__proto__', {}, /Use one of /],
  ['an own __proto__ inside', balanced, 'freshness.__proto__', 1, /Use one of /],
  ['an own __proto__ in an open map', balanced, 'fusion.meaning.trust.__proto__', 1, /\S/],
  ['a trust that is none', balanced, 'fusion.meaning.trust.mine', 2, /\S/],
  ['a share above 1', balanced, 'lexical.b', 1.01, /\S/],
  ['a negative weight of the cosine', balanced, 'fusion.cosine', -0.1, /\S/],
  ['a window without length', balanced, 'recencyWindowDays', 0, /\S/],
  ['a shallow channel', balanced, 'depths.lexical', 999, /larger limit/],
  ['a fractional depth', balanced, 'depths.lexical', 1000.5, /larger limit/],
  ['a limit of none', balanced, 'defaultLimit', 0, /\S/],
  ['a limit too large', balanced, 'defaultLimit', 1001, /\S/],
  ['a fractional limit', balanced, 'defaultLimit', 1.5, /\S/],
  ['an unknown mode', balanced, 'collapse', 'all', /one of/],
  ['an unknown order', balanced, 'order', 'id', /one of/],
  ['an unknown gate', balanced, 'riskGate', 'block', /one of/],
  ['a least score in words', balanced, 'minScore', 'high', /finite/],
  ['a share of none', balanced, 'perSource', 0, /\S/],
  ['half a share', balanced, 'perSource', 1.5, /integer/],
  ['a share in words', balanced, 'perSource', '3', /finite/],
  ['a range of one', balanced, 'fusion.meaning.clamp', [1], /array/],
  ['a range upside down', balanced, 'fusion.meaning.clamp', [2, 1], /low/],
  ['an unknown fusion', balanced, 'fusion', { kind: 'sum' }, /Use one/],
  ['a fusion without a kind', balanced, 'fusion', {}, /Use one/],
  ['no fusion', balanced, 'fusion', undefined, /Start from/],
  ['a fusion of the prototype', balanced, 'fusion', { kind: 'toString' }, /Use one/],
  ['gate codes in words', balanced, 'gateCodes', 'stale_context', /array/],
  ['fractional candidates', ctxsift, 'fusion.candidates', 50.5, /\S/],
  ['no candidates', ctxsift, 'fusion.candidates', 0, /\S/],
  ['a fractional number of weak ones', ctxsift, 'thresholds.weakLimit', 0.5, /\S/],
  ['a missing source', ctxsift, 'fusion.sources.terms', undefined, /Start from/],
  ['a missing state', ctxsift, 'freshness.unknown', undefined, /Start from/],
  ['a life without length', secondBrain, 'lifeDays', 0, /\S/],
  ['an unknown channel', plainRanks, 'fusion.weights.meaning', 1, /vector/],
  ['a negative weight', plainRanks, 'fusion.weights.vector', -1, /\S/],
  ['a part of no rank fusion', plainRanks, 'decay', true, /Use one of /],
]

describe('checkPolicy', () => {
  it.each(wrong)('[E1] refuses %s', (_name, policy, path, value, hint) => {
    const literal = withPart(policy, path, value)
    const isKind = path === 'fusion' && value !== undefined
    expect(() => checkPolicy(literal)).toThrow(
      expect.objectContaining({
        code: 'INVALID_POLICY',
        field: isKind ? 'policy.fusion.kind' : `policy.${path}`,
        hint: typeof hint === 'string' ? expect.stringContaining(`Did you mean ${hint}?`) : expect.stringMatching(hint),
      }),
    )
  })

  it.each<[string, unknown, string, string]>([
    ['unknown', ['stale_contxt'], 'policy.gateCodes[0]', 'stale_context'],
    ['unknown after a known one', ['stale_context', 'toString'], 'policy.gateCodes[1]', 'Use one of '],
    ['no text', ['stale_context', 5], 'policy.gateCodes[1]', 'string'],
  ])('[E1] refuses a gate code that is %s', (_name, gateCodes, field, hint) => {
    expect(() => checkPolicy({ ...balanced, gateCodes })).toThrow(
      expect.objectContaining({ code: 'INVALID_POLICY', field, hint: expect.stringContaining(hint) }),
    )
  })

  it.each<[string, unknown, string]>([
    ['a list', ['car'], 'policy.synonyms'],
    ['null', null, 'policy.synonyms'],
    ['a text for a list', { car: 'automobile' }, 'policy.synonyms.car'],
    ['an empty list', { car: [] }, 'policy.synonyms.car'],
    ['too many', { car: Array(17).fill('automobile') }, 'policy.synonyms.car'],
    ['a number', { car: ['automobile', 5] }, 'policy.synonyms.car[1]'],
    ['signs', { car: ['…'] }, 'policy.synonyms.car[0]'],
    ['of signs', { '--': ['car'] }, 'policy.synonyms.--'],
    ['too long', { car: ['x'.repeat(201)] }, 'policy.synonyms.car[0]'],
  ])('[E1] refuses synonyms that are %s', (_name, synonyms, field) => {
    const refused = expect.objectContaining({ code: 'INVALID_POLICY', field, hint: expect.stringMatching(/\S/) })
    expect(() => checkPolicy({ ...balanced, synonyms })).toThrow(refused)
  })

  it('accepts synonyms in every fusion of words, and refuses them for runs', () => {
    const synonyms = { car: ['automobile', 'motor car'], 'pull request': ['PR'] }
    for (const policy of [balanced, secondBrain, plainRanks])
      expect(checkPolicy({ ...policy, synonyms }).synonyms).toEqual(synonyms)
    expect(() => checkPolicy({ ...ctxsift, synonyms })).toThrow(
      expect.objectContaining({ code: 'INVALID_POLICY', field: 'policy.synonyms' }),
    )
    expect(checkPolicy({ ...balanced, synonyms: undefined }).synonyms).toBeUndefined()
  })

  it.each<[string, unknown, string]>([
    ['a number', 0.3, 'policy.fusion.neighbours'],
    ['null', null, 'policy.fusion.neighbours'],
    ['a list', [0.3], 'policy.fusion.neighbours'],
    ['without a side', { before: [0.3] }, 'policy.fusion.neighbours.after'],
    ['no list on a side', { before: 0.3, after: [] }, 'policy.fusion.neighbours.before'],
    ['farther than a policy may look', { before: [], after: Array(9).fill(0.1) }, 'policy.fusion.neighbours.after'],
    ['in words', { before: [0.3, '0.2'], after: [] }, 'policy.fusion.neighbours.before[1]'],
    ['endless', { before: [Infinity], after: [] }, 'policy.fusion.neighbours.before[0]'],
    ['halved at no length', { before: [], after: [], halfLength: 0 }, 'policy.fusion.neighbours.halfLength'],
    ['halved at a text', { before: [], after: [], halfLength: '9' }, 'policy.fusion.neighbours.halfLength'],
    ['taken off', { before: [], after: [0.3, -0.1] }, 'policy.fusion.neighbours.after.1'],
  ])('[E1] refuses neighbours that are %s', (_name, neighbours, field) => {
    const literal = { ...balanced, fusion: { ...balanced.fusion, neighbours } }
    expect(() => checkPolicy(literal)).toThrow(expect.objectContaining({ code: 'INVALID_POLICY', field }))
  })

  it('accepts a policy without neighbours, and refuses them in another fusion', () => {
    const { neighbours, ...fusion } = balanced.fusion
    expect(checkPolicy({ ...balanced, fusion }).fusion).toEqual(fusion)
    const nobody = { before: [], after: [] }
    expect(checkPolicy({ ...balanced, fusion: { ...fusion, neighbours: nobody } }).fusion).toEqual({
      ...fusion,
      neighbours: nobody,
    })
    for (const other of [ctxsift, plainRanks]) {
      expect(() => checkPolicy({ ...other, fusion: { ...other.fusion, neighbours } })).toThrow(
        expect.objectContaining({ code: 'INVALID_POLICY', field: 'policy.fusion.neighbours' }),
      )
    }
  })

  it.each<[string, unknown]>([
    ['not a pair', [['task']]],
    ['a tag in numbers', [[5, 7]]],
    ['days in words', [['task', '7']]],
    ['no days', [['task', 0]]],
    ['a hole', Object.assign([], { length: 1 })],
  ])('[E1] refuses lives by tag that are %s', (_name, lifeDaysByTag) => {
    expect(() => checkPolicy({ ...secondBrain, lifeDaysByTag })).toThrow(
      expect.objectContaining({ code: 'INVALID_POLICY', field: expect.stringMatching(/^policy\.lifeDaysByTag\[0\]/) }),
    )
  })

  it.each([undefined, null, 5, 'balanced', [], () => balanced, new Classy()])(
    '[E1] refuses %s, which is not a literal',
    (value) => {
      expect(() => checkPolicy(value)).toThrow(expect.objectContaining({ code: 'INVALID_POLICY', field: 'policy' }))
    },
  )

  it('[E1] refuses a part with a getter', () => {
    const { recency: _recency, ...rest } = balanced
    let read = 0
    const literal = Object.defineProperty({ ...rest }, 'recency', { enumerable: true, get: () => read++ })
    expect(() => checkPolicy(literal)).toThrow(
      expect.objectContaining({ code: 'INVALID_POLICY', field: 'policy.recency' }),
    )
  })

  it('[E1] refuses a part that contains itself', () => {
    const policy: Record<string, unknown> = { ...balanced }
    policy.lexical = policy
    expect(() => checkPolicy(policy)).toThrow(expect.objectContaining({ code: 'INVALID_POLICY' }))
  })

  it.each(everyPolicy)('accepts %s, and a clone of it', (_name, policy) => {
    expect(checkPolicy(policy)).toEqual(policy)
    expect(checkPolicy(structuredClone(policy))).toEqual(policy)
    expect(checkPolicy({ ...policy, minScore: 0.1 })).toMatchObject({ minScore: 0.1 })
    expect(checkPolicy({ ...policy, minScore: undefined })).toBeDefined()
  })
})
