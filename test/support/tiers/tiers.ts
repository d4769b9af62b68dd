/**
 * Decides which tests `npm test` runs: in Node the folders and files below with a quarter of the random cases, in Chromium the files
 * below. `npm run test:all` runs everything. `unit/project/tiers.test.ts` checks that each law keeps a test here.
 */

/** `npm test` sets it; the configuration reads it. */
export const isQuick = process.env['SCRUBJAY_TIER'] === 'quick'

/** The files of these are quick, without some that take long and whose laws have other tests here. */
const quickFolders = ['unit', 'parity', 'golden', 'contract']
const leftOut = ['unit/store/postings', 'unit/text/text-stem', 'parity/popoto'].map((name) => `test/${name}.test.ts`)

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
    'exact-vectors',
    'gates-before-cuts',
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
    'new-key',
    'paged/damage',
  ],
  'integration/writing': [
    'aborted-calls',
    'authority',
    'erasure',
    'forgetting',
    'lives',
    'long-writes',
    'replaced',
    'writing',
  ],
  property: ['answer-first', 'assemble', 'no-depth', 'paging', 'query-text', 'stores/as-of'],
  'property/stores': ['copies', 'merge', 'nodes'],
}

/** Storage, tabs, long calls. Chromium computes the bits of Node. */
export const quickBrowserFiles: readonly string[] = [
  'client',
  'long-calls',
  'minilm',
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

/** Paths and patterns of paths, and those that the patterns must not reach. */
export const quickNodeFiles: readonly string[] = [
  ...quickFolders.map((folder) => `test/${folder}/**/*.test.ts`),
  ...named,
]
export const slowNodeFiles: readonly string[] = leftOut

/** Whether `npm test` runs this test file, in Node or in Chromium. */
export function isQuickFile(path: string): boolean {
  if (path.endsWith('.browser.test.ts')) return quickBrowserFiles.includes(path)
  return (
    path.endsWith('.test.ts') &&
    !leftOut.includes(path) &&
    (named.includes(path) || quickFolders.some((folder) => path.startsWith(`test/${folder}/`)))
  )
}
