/** Lists dimensions, pooling and prefixes of common models. The app describes other models in its options. */

export interface ModelShape {
  readonly dimensions: number
  /** How token vectors become one vector: their mean, or the vector of the first token. */
  readonly pooling: 'mean' | 'cls'
  /** Prefixes of texts in the model's training, by role. */
  readonly prefixes: { readonly query: string; readonly document: string }
}

/** Finds a model by its name after the last slash, so that any conversion of the model is found. */
export function findModelShape(model: string): ModelShape | undefined {
  return shapes.get(model.slice(model.lastIndexOf('/') + 1))
}

const none = { query: '', document: '' }
const queryPassage = { query: 'query: ', document: 'passage: ' }
const represented = { query: 'Represent this sentence for searching relevant passages: ', document: '' }

const shapes: ReadonlyMap<string, ModelShape> = new Map<string, ModelShape>([
  ['all-MiniLM-L6-v2', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['all-MiniLM-L12-v2', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['all-mpnet-base-v2', { dimensions: 768, pooling: 'mean', prefixes: none }],
  ['paraphrase-multilingual-MiniLM-L12-v2', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['gte-small', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['bge-small-en-v1.5', { dimensions: 384, pooling: 'cls', prefixes: represented }],
  ['bge-base-en-v1.5', { dimensions: 768, pooling: 'cls', prefixes: represented }],
  ['e5-small-v2', { dimensions: 384, pooling: 'mean', prefixes: queryPassage }],
  ['multilingual-e5-small', { dimensions: 384, pooling: 'mean', prefixes: queryPassage }],
  ['multilingual-e5-base', { dimensions: 768, pooling: 'mean', prefixes: queryPassage }],
  [
    'nomic-embed-text-v1.5',
    { dimensions: 768, pooling: 'mean', prefixes: { query: 'search_query: ', document: 'search_document: ' } },
  ],
])
