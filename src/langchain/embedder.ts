/** Uses the embeddings of LangChain as the embedder of a store. */
import type { EmbeddingsInterface } from '@langchain/core/embeddings'
import type { Embedder } from '../protocol/embedder.ts'

/**
 * The embedder for `openRecall`. `space`: name of model and version; vectors of other spaces are never compared. `dimensions`: length of its
 * vectors.
 */
export function langchainEmbedder(
  embeddings: EmbeddingsInterface,
  { space, dimensions }: Pick<Embedder, 'space' | 'dimensions'>,
): Embedder {
  return {
    space,
    dimensions,
    async embed(texts, role) {
      const vectors =
        role === 'query'
          ? await Promise.all(texts.map((text) => embeddings.embedQuery(text)))
          : await embeddings.embedDocuments([...texts])
      return vectors.map((vector) => Float32Array.from(vector))
    },
  }
}
