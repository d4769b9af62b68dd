/**
 * Says which modules share a file of `dist/src/shared`. Each module is in one file, so a class such as `RecallError` exists once for all
 * entries. A page loads `page` and `model` with its first import, and everything else when it needs it. Modules that no group
 * takes stay with their only entry, or with the `import()` that loads them.
 */
import { root } from './entries.ts'

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

interface Group {
  readonly name: (id: string, graph: Graph) => string | null
  readonly debugName: string
  readonly priority: number
}

interface Module {
  /** From the root of the repository. */
  readonly path: string
  /** Whether it loads with `src/index.ts`, with `openRecall` alone, and with `src/salvage/index.ts`. */
  readonly isOfIndex: boolean
  readonly isOfOpening: boolean
  /** Whether it loads with one of the files that a page loads later, except those of chats. */
  readonly isOfLater: boolean
  readonly isOfSalvage: boolean
}

/** A module goes into the first group that takes it. */
const groups: readonly (readonly [name: string, takes: (module: Module) => boolean])[] = [
  ['model', ({ path, isOfOpening }) => isOfOpening && path.startsWith('src/core/')],
  // Small, so that long operations of a page do not load all that a chat needs of core.
  ['base', ({ path, isOfLater }) => isOfLater && path.startsWith('src/core/')],
  ['core', ({ path }) => path.startsWith('src/core/')],
  // Apart from `page`, which has addresses of workers: bundlers copy a worker for every import of the file that names it.
  [
    'link',
    ({ path, isOfIndex, isOfSalvage }) => isOfIndex && (isOfSalvage || /^src\/(?:protocol|embedders)\//.test(path)),
  ],
  ['page', ({ path, isOfIndex }) => isOfIndex && path.startsWith('src/client/')],
  [
    'protocol',
    ({ path }) => /^src\/(?:protocol\/|embedders\/(?:server-url|read-response)|client\/vectors\/pack-made)/.test(path),
  ],
  ['tools', ({ path }) => path.startsWith('src/tools/')],
  [
    'tables',
    ({ path }) =>
      /^src\/embedders\/(?:tables|model-file|table-embedder|static-embedder|file-cache|known-models)/.test(path),
  ],
]

/** What `src/client` imports later. */
const later = [
  'long-operations',
  'open-remote',
  'vectors/page-embedding',
  'calls/change-locks',
  'calls/forget-in-slices',
  'link/check-given',
]

export function sharedGroups(): Group[] {
  const loading = (...paths: string[]) => memoised((graph) => closure(graph, paths))
  const index = loading('src/index.ts')
  const opening = loading('src/client/open.ts')
  const rest = loading(...later.map((name) => `src/client/${name}.ts`))
  const salvage = loading('src/salvage/index.ts')
  return groups.map(([name, takes], i) => ({
    name(id, graph) {
      if (!id.startsWith(root)) return null
      const isOf = (loaded: (graph: Graph) => ReadonlySet<string>) => loaded(graph).has(id)
      const module: Module = {
        path: id.slice(root.length),
        isOfIndex: isOf(index),
        isOfOpening: isOf(opening),
        isOfLater: isOf(rest),
        isOfSalvage: isOf(salvage),
      }
      return takes(module) ? name : null
    },
    debugName: name,
    priority: groups.length - i,
  }))
}

function memoised<T>(make: (graph: Graph) => T): (graph: Graph) => T {
  let made: T | undefined
  return (graph) => (made ??= make(graph))
}

/** The modules that load with these, without those of `import()`. */
function closure(graph: Graph, paths: readonly string[]): ReadonlySet<string> {
  const found = new Set(paths.map((path) => root + path))
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}
