/** Tests that naming the language of a store never finds less: ten notes and fourteen everyday questions in each language. */
import { beforeAll, describe, expect, test } from 'vitest'
import { loadLanguages } from '../../../../worker/languages/load-languages.ts'
import { everyday } from '../../../support/data/everyday.ts'
import { openEngine, type TestEngine } from '../../../support/stores/open-engine.ts'

const compounds = ['de', 'nl', 'sv', 'da', 'no']

beforeAll(() => loadLanguages(Object.keys(everyday)))

async function opened(tag: string, languages: readonly string[]): Promise<TestEngine> {
  const engine = await openEngine(languages.length === 0 ? {} : { languages })
  const batch = everyday[tag]!.notes.map((note) => {
    const [id, ...body] = note.split(': ')
    return { id: id!, body: body.join(': ') }
  })
  await engine.call('put', { batch })
  return engine
}

/** The place of the note that answers, from 1; 0 if it is not found. */
async function placesOf({ call }: TestEngine, tag: string): Promise<readonly number[]> {
  const places: number[] = []
  for (const question of everyday[tag]!.questions) {
    const [id, text] = question.split(': ')
    const { hits } = await call('recall', { query: { text: text! } })
    places.push(1 + hits.findIndex((hit) => hit.id === id))
  }
  return places
}

describe.each(Object.keys(everyday))('a store in %s', (tag) => {
  test('finds at least as much as one that names no language', async () => {
    const [declared, plain] = [
      await placesOf(await opened(tag, [tag]), tag),
      await placesOf(await opened(tag, []), tag),
    ]
    const lost = everyday[tag]!.questions.filter(
      (_, i) => plain[i]! > 0 && (declared[i] === 0 || declared[i]! > plain[i]!),
    )
    expect(lost).toEqual([])
    const right = (places: readonly number[]) => places.filter((place) => place === 1).length
    expect(right(declared)).toBeGreaterThanOrEqual(right(plain))
    if (compounds.includes(tag)) expect(right(declared)).toBeGreaterThanOrEqual(12)
  })
})
