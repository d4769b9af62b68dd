/** Runs retriever, vector store and embedder with LangChain's own interfaces and fake embeddings. */
import { Document } from '@langchain/core/documents'
import { Embeddings } from '@langchain/core/embeddings'
import { RunnableLambda } from '@langchain/core/runnables'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'
import { langchainEmbedder, RecallRetriever, RecallVectorStore } from '../../../src/langchain/index.ts'

/** One dimension for each letter: texts of the same letters are close. */
class LetterEmbeddings extends Embeddings {
  constructor() {
    super({})
  }
  embedQuery(text: string) {
    const vector = Array.from({ length: 26 }, () => 0)
    for (const letter of text.toLowerCase()) {
      const i = letter.charCodeAt(0) - 97
      if (i >= 0 && i < 26) vector[i]! += 1
    }
    const length = Math.hypot(...vector) || 1
    return Promise.resolve(vector.map((one) => one / length))
  }
  embedDocuments(texts: string[]) {
    return Promise.all(texts.map((text) => this.embedQuery(text)))
  }
}

const embeddings = new LetterEmbeddings()
let store: Recall
beforeEach(async () => {
  store = await openRecall({
    name: 'langchain',
    embedder: langchainEmbedder(embeddings, { space: 'letters', dimensions: 26 }),
  })
})
afterEach(() => store.close())

const documents = [
  new Document({
    id: 'oak',
    pageContent: 'Jays hide acorns under the oak',
    metadata: { source: 'birds.md', page: 3, skipped: undefined },
  }),
  new Document({ id: 'key', pageContent: 'The deploy key rotates on Mondays', metadata: { source: 'ops.md' } }),
  new Document({ id: 'lunch', pageContent: 'The noodle place is closed', metadata: {} }),
]

test('a retriever gives at most k documents', async () => {
  await RecallVectorStore.fromDocuments(
    Array.from(
      { length: 7 },
      (_, i) => new Document({ id: `d${i}`, pageContent: `Jays hide acorns number ${i}`, metadata: {} }),
    ),
    embeddings,
    { store },
  )
  for (const [k, most] of [
    [2, 2],
    [6, 6],
    [undefined, 4],
  ] as const)
    expect(await new RecallRetriever({ store, ...(k === undefined ? {} : { k }) }).invoke('jays acorns')).toHaveLength(
      most,
    )
})

test('documents are ordered by their cosine alone, and scores descend', async () => {
  const texts = ['aaaaaaaaab', 'aaaaaaaaaab', 'aaaa bbbb', 'aaab', 'aabb bbb', 'abcd', 'zzzz', 'aabbccdd']
  const vectors = await RecallVectorStore.fromTexts(texts, [], embeddings, { store })
  // A pinned record ranks higher in an answer, and keeps its place here.
  const { items } = await store.list()
  for (const { id, body } of items) if (body === 'aaaaaaaaab') await store.setReasons(id, [{ code: 'user_pinned' }])
  for (const query of ['aaaa', 'bbbb', 'abcd', 'zabc', 'aabbcd']) {
    const asked = await embeddings.embedQuery(query)
    const scored = await vectors.similaritySearchVectorWithScore(asked, 8)
    const cosine = async (text: string) =>
      (await embeddings.embedQuery(text)).reduce((sum, x, i) => sum + x * asked[i]!, 0)
    const expected = (await Promise.all(texts.map(cosine))).toSorted((a, b) => b - a)
    expect(scored.map(([, score]) => score.toFixed(4))).toEqual(
      expected.slice(0, scored.length).map((one) => one.toFixed(4)),
    )
  }
})

describe('RecallVectorStore', () => {
  test('stores documents, finds them by cosine, replaces and deletes them', async () => {
    const vectors = await RecallVectorStore.fromDocuments(documents, embeddings, { store })
    const found = await vectors.similaritySearchWithScore('deploy key rotates on Mondays', 2)
    expect(found[0]![0]).toMatchObject({
      id: 'key',
      pageContent: documents[1]!.pageContent,
      metadata: { source: 'ops.md' },
    })
    const [a, b] = await Promise.all(
      ['deploy key rotates on Mondays', documents[1]!.pageContent].map((text) => embeddings.embedQuery(text)),
    )
    expect(found[0]![1]).toBeCloseTo(
      a!.reduce((sum, one, i) => sum + one * b![i]!, 0),
      5,
    )
    expect(found[0]![1]).toBeGreaterThan(found[1]![1])
    expect(found).toHaveLength(2)

    expect(
      await vectors.addDocuments([new Document({ pageContent: 'The deploy key never rotates' })], { ids: ['key'] }),
    ).toEqual(['key'])
    expect(await store.count()).toBe(3)
    await vectors.delete({ ids: ['key'] })
    expect((await store.verifyForgotten('key')).clean).toBe(true)
    await expect(vectors.delete()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'ids' })
  })

  test('works as a retriever in a chain, with a scope as filter', async () => {
    await store.put([
      { id: 'x', body: 'noodle soup', project: 'food' },
      { id: 'y', body: 'noodle code', project: 'site' },
    ])
    const vectors = new RecallVectorStore(embeddings, { store })
    const retriever = vectors.asRetriever({ k: 5, filter: { project: 'food' } })
    const chain = retriever.pipe(RunnableLambda.from((found: Document[]) => found.map(({ id }) => id)))
    expect(await chain.invoke('noodle')).toEqual(['x'])
    expect((await vectors.similaritySearch('noodle soup', 1)).map(({ id }) => id)).toEqual(['x'])
  })

  test('refuses vectors that do not fit, and stores nothing', async () => {
    const vectors = new RecallVectorStore(embeddings, { store })
    await expect(vectors.addVectors([[1]], documents)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'vectors',
    })
    await expect(vectors.addVectors([[1, 2]], [documents[0]!])).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
    await expect(vectors.addDocuments(documents, { ids: ['a'] })).rejects.toMatchObject({ field: 'ids' })
    expect(await store.count()).toBe(0)
    expect(await vectors.addDocuments([])).toEqual([])
  })
})

describe('RecallRetriever', () => {
  test('answers with documents, scores, reasons and evidence, and calls its callbacks', async () => {
    await RecallVectorStore.fromDocuments(documents, embeddings, { store })
    const seen: string[] = []
    const retriever = new RecallRetriever({ store, k: 2, query: { minEvidence: 'weak' } })
    const found = await retriever.invoke('when does the deploy key rotate?', {
      callbacks: [{ handleRetrieverEnd: (ended) => void seen.push(...ended.map(({ id }) => id!)) }],
    })
    expect(found[0]).toMatchObject({
      id: 'key',
      metadata: {
        source: 'ops.md',
        scrubjay: {
          id: 'key',
          kind: 'note',
          evidence: 'strong',
          reasons: expect.arrayContaining([expect.stringContaining('words match')]),
        },
      },
    })
    expect(seen).toEqual(found.map(({ id }) => id))
    expect(found[0]!.metadata).not.toHaveProperty('skipped')
    // A retrieved document can be stored again under its id.
    await RecallVectorStore.fromDocuments(found, embeddings, { store })
    expect(await store.count()).toBe(3)
  })
})
