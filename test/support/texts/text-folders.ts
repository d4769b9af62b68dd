/** Which folders of core the table of text-functions.ts covers. */

/** Folders of `src/core` whose functions read text. The others work with numbers, rows and tables made from it. */
export const textFolders = [
  'text',
  'time',
  'ingest',
  'query',
  'present',
  'assemble',
  'similarity',
  'changes',
  'said',
  'collections',
  'lexical',
  'model',
] as const

/** Folders whose functions work with results made from texts. */
export const otherFolders = [
  'number',
  'learning',
  'merge',
  'fusion',
  'order',
  'select',
  'signals',
  'policies',
  'evidence',
] as const
