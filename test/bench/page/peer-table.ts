/** The peers of the bench and their modes. Data only: the builders are in `peers/worker.ts`. */

export interface PeerTraits {
  readonly label: string
  /** Packages it needs. */
  readonly packages: readonly string[]
  /** The modes it is asked; of two peers that share their vectors, one is asked for them. */
  readonly modes: readonly ('lexical' | 'vector' | 'hybrid')[]
  /** Whether a question can be limited to the records of a tag. */
  readonly hasScopes: boolean
  /** Records above which it is left out. */
  readonly most: number
  /** Whether it searches a graph with a list of `ef` candidates: more of them find more of the neighbours and take longer. */
  readonly isGraph?: boolean
}

/** Above this, all but the plainest take long to build, and hold every vector twice. */
const usualMost = 200_000
/** Above this, building its graph takes longer than the bench waits. */
const pgliteMost = 20_000

export const peerTable = {
  minisearch: {
    label: 'MiniSearch',
    packages: ['minisearch'],
    modes: ['lexical'],
    hasScopes: true,
    most: 1_000_000,
  },
  'minisearch-content': {
    label: 'MiniSearch, stop words out',
    packages: ['minisearch'],
    modes: ['lexical'],
    hasScopes: true,
    most: 1_000_000,
  },
  'minisearch-stems': {
    label: 'MiniSearch, stemmed, too',
    packages: ['minisearch'],
    modes: ['lexical'],
    hasScopes: true,
    most: usualMost,
  },
  orama: {
    label: 'Orama',
    packages: ['@orama/orama'],
    modes: ['lexical', 'vector', 'hybrid'],
    hasScopes: true,
    most: usualMost,
  },
  'orama-content': {
    label: 'Orama, best',
    packages: ['@orama/orama'],
    modes: ['lexical', 'hybrid'],
    hasScopes: true,
    most: usualMost,
  },
  zbsearch: {
    label: 'ZBSearch',
    packages: ['zbsearch'],
    modes: ['lexical', 'vector', 'hybrid'],
    hasScopes: true,
    most: usualMost,
  },
  'zbsearch-content': {
    label: 'ZBSearch, best',
    packages: ['zbsearch'],
    modes: ['lexical', 'hybrid'],
    hasScopes: true,
    most: usualMost,
  },
  hnswlib: {
    label: 'hnswlib-wasm',
    packages: ['hnswlib-wasm'],
    modes: ['vector'],
    hasScopes: true,
    most: usualMost,
    isGraph: true,
  },
  edgevec: {
    label: 'EdgeVec',
    packages: ['edgevec'],
    modes: ['vector'],
    hasScopes: false,
    most: usualMost,
    isGraph: true,
  },
  voy: {
    label: 'Voy',
    packages: ['voy-search'],
    modes: ['vector'],
    hasScopes: false,
    most: usualMost,
  },
  pglite: {
    label: 'PGlite + pgvector',
    packages: ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'],
    modes: ['vector'],
    hasScopes: true,
    most: pgliteMost,
    isGraph: true,
  },
  'sqlite-vec': {
    label: 'sqlite-vec, exact',
    packages: ['sqlite-vec-wasm-demo'],
    modes: ['vector'],
    hasScopes: true,
    most: usualMost,
  },
} as const satisfies Readonly<Record<string, PeerTraits>>

/** Candidates of a graph's search, in the order of the table. */
export const efs = [64, 128, 256, 512] as const

export type PeerName = keyof typeof peerTable
export const peerNames = Object.keys(peerTable) as readonly PeerName[]
/** The same table, for code that does not depend on the row. */
export const traitsOf = (peer: PeerName): PeerTraits => peerTable[peer]
