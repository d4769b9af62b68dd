/** The part of each further peer that the bench calls: their packages are not installed with the project. */

declare module 'hnswlib-wasm' {
  interface Index {
    initIndex(maxElements: number, m: number, efConstruction: number, randomSeed: number): void
    addPoint(point: Float32Array, label: number, replaceDeleted: boolean): void
    markDelete(label: number): void
    setEfSearch(ef: number): void
    searchKnn(
      query: Float32Array,
      count: number,
      filter: ((label: number) => boolean) | undefined,
    ): { readonly distances: readonly number[]; readonly neighbors: readonly number[] }
  }
  export function loadHnswlib(): Promise<{
    readonly HierarchicalNSW: new (space: 'l2' | 'ip' | 'cosine', dimensions: number, file: string) => Index
    readonly HEAP8?: Int8Array
  }>
}

declare module 'edgevec' {
  export class EdgeVecConfig {
    constructor(dimensions: number)
    set metric(value: string)
    set m(value: number)
    set ef_construction(value: number)
    set ef_search(value: number)
  }
  export class EdgeVec {
    constructor(config: EdgeVecConfig)
    free(): void
    insert(vector: Float32Array): number
    softDelete(id: number): boolean
    search(query: Float32Array, count: number): readonly { readonly id: number; readonly score: number }[]
  }
  export default function init(): Promise<{ readonly memory: WebAssembly.Memory }>
}

declare module 'voy-search/voy_search_bg.js' {
  interface Resource {
    readonly embeddings: readonly {
      readonly id: string
      readonly title: string
      readonly url: string
      readonly embeddings: readonly number[]
    }[]
  }
  export class Voy {
    constructor(resource?: Resource)
    index(resource: Resource): void
    add(resource: Resource): void
    remove(resource: Resource): void
    search(query: Float32Array, count: number): { readonly neighbors: readonly { readonly id: string }[] }
  }
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void
}

declare module 'voy-search/voy_search_bg.wasm?url' {
  const url: string
  export default url
}

declare module '@electric-sql/pglite' {
  export class PGlite {
    static create(options: { readonly extensions: Readonly<Record<string, unknown>> }): Promise<PGlite>
    exec(sql: string): Promise<unknown>
    query<T>(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly T[] }>
    transaction<T>(work: (within: Pick<PGlite, 'query'>) => Promise<T>): Promise<T>
    readonly Module: { readonly HEAPU8: Uint8Array }
  }
}

declare module '@electric-sql/pglite-pgvector' {
  export const vector: unknown
}

declare module 'sqlite-vec-wasm-demo' {
  interface Statement {
    bind(values: readonly unknown[]): Statement
    step(): boolean
    get(column: number): unknown
    stepReset(): Statement
    reset(): Statement
    finalize(): void
  }
  interface Database {
    exec(sql: string): unknown
    prepare(sql: string): Statement
  }
  export default function load(): Promise<{
    readonly oo1: { readonly DB: new (name: string) => Database }
    readonly wasm: { heap8(): Int8Array }
  }>
}

declare module 'zbsearch' {
  export * from '@orama/orama'
}
