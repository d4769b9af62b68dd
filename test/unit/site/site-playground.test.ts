/** Tests the parts of the playground that need no browser: places of errors in texts, and links that hold the whole state. */
import { describe, expect, test } from 'vitest'
import { lineOf, parseText, placeOf } from '../../../site/client/playground/locate.ts'
import { fromHash, toHash } from '../../../site/client/playground/share.ts'
import { policyText, pretty, startState } from '../../../site/client/playground/start.ts'
import { openRecall, policies, RecallError } from '../../../src/index.ts'

describe('places of errors', () => {
  const text = '[\n  { "id": "a" },\n  { "id": "b",\n    "tags": ["x",\n      4] }\n]'

  test.each([
    ['', 0],
    ['[0].id', 1],
    ['[1].tags', 3],
    ['[1].tags[1]', 4],
    ['[1].body', 2],
    ['[7].body', 0],
  ])('the field %s is in line %i, or the object that lacks it', (path, line) => {
    const parsed = parseText(text)
    if ('problem' in parsed) throw new Error(parsed.problem.message)
    expect(lineOf(text, placeOf(parsed.tree, path).from)).toBe(line)
  })

  test.each([
    ['{\n "a": .5 }', 1],
    ['[1,\n2,\n3', 2],
    ['{ "a": 1\n "b": 2 }', 1],
    ['', 0],
  ])('what is not JSON has a place: %j', (wrong, line) => {
    const parsed = parseText(wrong)
    if (!('problem' in parsed)) throw new Error('no problem found')
    expect(lineOf(wrong, parsed.problem.place.from)).toBe(line)
    expect(parsed.problem.message).not.toBe('')
  })

  test('comments and a last comma are allowed, and no name reaches a prototype', () => {
    const parsed = parseText('{ // note\n "__proto__": { "a": 1, }, }')
    if ('problem' in parsed) throw new Error(parsed.problem.message)
    expect(Object.hasOwn(parsed.value as object, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(parsed.value)).toBe(Object.prototype)
  })

  test('the engine names the field of a wrong policy, and its line is found', async () => {
    const wrong = policyText('balanced').replace('"k1": 1.6', '"k1": "high"')
    const parsed = parseText(wrong)
    if ('problem' in parsed) throw new Error(parsed.problem.message)
    const recall = await openRecall({ name: 'wrong-policy', embedder: null })
    const error = await recall.recall({ text: 'a', policy: parsed.value as never }).catch((reason: unknown) => reason)
    await recall.close()
    if (!(error instanceof RecallError)) throw new Error('The policy was accepted.')
    const place = placeOf(parsed.tree, (error.field ?? '').replace(/^policy\.?/, ''))
    expect(wrong.slice(place.from, place.to)).toBe('"k1": "high"')
  })
})

describe('links', () => {
  test('a link holds the question and both texts, whatever is in them', async () => {
    const state = { question: 'ça va? 日本語 "x"', policy: '{ not json', records: startState.records }
    expect(await fromHash(await toHash(state))).toEqual(state)
    expect((await toHash(startState)).length).toBeLessThan(4000)
  })

  test('a hash of another kind is ignored, and a damaged one rejects', async () => {
    expect(await fromHash('#records')).toBeNull()
    const hash = await toHash(startState)
    await expect(fromHash(hash.slice(0, 40))).rejects.toThrow()
    await expect(fromHash('#p1.!!')).rejects.toThrow()
  })
})

describe('texts at the start', () => {
  test.each(Object.keys(policies))('the text of %s is the policy', (name) => {
    const policy = policies[name as keyof typeof policies]
    expect(JSON.parse(policyText(name as keyof typeof policies))).toEqual(JSON.parse(JSON.stringify(policy)))
  })

  test('what fits into a line is on one line', () => {
    expect(pretty({ a: [1, 2], b: 'x' })).toBe('{ "a": [1, 2], "b": "x" }')
    expect(pretty({ a: 'x'.repeat(60), b: 'y'.repeat(20) }).split('\n')).toHaveLength(4)
  })
})
