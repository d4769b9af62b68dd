/**
 * Decides which tests `npm test` runs: in Node the folders and files below with a quarter of the random cases, in Chromium the files
 * below. `npm run test:all` runs everything. `unit/project/tiers.test.ts` checks that each law keeps a test here.
 */

/** `npm test` sets it; the configuration reads it. */
export const isQuick = process.env['SCRUBJAY_TIER'] === 'quick'

/** Every file of these is quick. */
const quickFolders = ['unit', 'parity', 'golden', 'contract']

/** Of the slower folders, those that hold a law or a whole subject in the least time. */
const quickFiles: Readonly<Record<string, readonly string[]>> = {
  'integration/adapters': ['hidden-characters', 'tools'],
  'integration/changes': ['about', 'lives'],
  'integration/client': [
    'api-fuzz',
    'call-ends',
    'client-boundary',
    'client-extract',
    'live-query',
    'requests',
    'tabs',
  ],
  'integration/embedding': ['embedder-catch-up', 'embedder-failure', 'two-speeds'],
  'integration/learning': ['contradictions', 'learned-state', 'operations'],
  'integration/project': ['ci-run', 'package'],
  'integration/recall': [
    'answer-options',
    'deep-match',
    'exact-vectors',
    'gates-before-cuts',
    'golden',
    'named-days',
    'reserve',
    'validity',
    'words/parts',
    'words/passages',
    'words/typos',
  ],
  'integration/server': ['server', 'undone-writes'],
  'integration/storage': [
    'file/encrypted-export',
    'file/fence',
    'file/file',
    'file/locked-file',
    'full-memory',
    'migrations',
    'new-key',
    'paged/damage',
    'portable',
  ],
  'integration/writing': ['aborted-calls', 'authority', 'erasure', 'forgetting', 'long-writes', 'replaced', 'writing'],
  property: [
    'answer-first',
    'assemble',
    'history',
    'no-depth',
    'paging',
    'policies',
    'query-text',
    'scopes',
    'stores/as-of',
    'selection',
  ],
  'property/stores': ['copies', 'merge', 'nodes'],
}

/** Storage, tabs, long calls, and the bits that each engine must compute. */
export const quickBrowserFiles: readonly string[] = [
  'client',
  'determinism',
  'long-calls',
  'minilm',
  'smoke',
  'tabs',
  'storage/full-disk',
  'storage/locked',
  'storage/offline-table',
  'storage/persistence',
  'storage/portable',
  'storage/replaced',
].map((name) => `test/browser/${name}.browser.test.ts`)

const named = Object.entries(quickFiles).flatMap(([folder, names]) =>
  names.map((name) => `test/${folder}/${name}.test.ts`),
)

/** Paths and patterns of paths. */
export const quickNodeFiles: readonly string[] = [
  ...quickFolders.map((folder) => `test/${folder}/**/*.test.ts`),
  ...named,
]

/** Whether `npm test` runs this test file, in Node or in Chromium. */
export function isQuickFile(path: string): boolean {
  if (path.endsWith('.browser.test.ts')) return quickBrowserFiles.includes(path)
  return (
    path.endsWith('.test.ts') &&
    (named.includes(path) || quickFolders.some((folder) => path.startsWith(`test/${folder}/`)))
  )
}
