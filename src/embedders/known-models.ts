/** What has to be known of a model before it is loaded, for models that are often used; others are described by the app. */

export interface ModelShape {
  readonly dimensions: number
  /** How the vectors of a text's tokens become one: their mean, or that of the first token. */
  readonly pooling: 'mean' | 'cls'
  /** What the model was trained to find before a text, by role. */
  readonly prefixes: { readonly query: string; readonly document: string }
}

/** By the name after the last slash, whoever converted the model. */
export function findModelShape(model: string): ModelShape | undefined {
  return shapes.get(model.slice(model.lastIndexOf('/') + 1))
}

const none = { query: '', document: '' }
const asked = { query: 'query: ', document: 'passage: ' }
const represented = { query: 'Represent this sentence for searching relevant passages: ', document: '' }

const shapes: ReadonlyMap<string, ModelShape> = new Map<string, ModelShape>([
  ['all-MiniLM-L6-v2', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['all-MiniLM-L12-v2', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['all-mpnet-base-v2', { dimensions: 768, pooling: 'mean', prefixes: none }],
  ['paraphrase-multilingual-MiniLM-L12-v2', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['gte-small', { dimensions: 384, pooling: 'mean', prefixes: none }],
  ['bge-small-en-v1.5', { dimensions: 384, pooling: 'cls', prefixes: represented }],
  ['bge-base-en-v1.5', { dimensions: 768, pooling: 'cls', prefixes: represented }],
  ['e5-small-v2', { dimensions: 384, pooling: 'mean', prefixes: asked }],
  ['multilingual-e5-small', { dimensions: 384, pooling: 'mean', prefixes: asked }],
  ['multilingual-e5-base', { dimensions: 768, pooling: 'mean', prefixes: asked }],
  [
    'nomic-embed-text-v1.5',
    { dimensions: 768, pooling: 'mean', prefixes: { query: 'search_query: ', document: 'search_document: ' } },
  ],
])
