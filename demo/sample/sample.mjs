/**
 * Makes the records of the sample store from this repository: documents, sources and captured test runs. The same checkout
 * gives the same records; Git is not used.
 */
import { documentRecords } from './documents.mjs'
import { listFiles } from './files.mjs'
import { runRecords } from './runs.mjs'
import { sourceRecords } from './sources.mjs'

/**
 * @param {string} root root folder of the checkout
 * @returns {readonly import('scrubjay').RecordInput[]} records with unique ids
 */
export function sampleRecords(root) {
  const files = listFiles(root, [
    'demo/README.md',
    'demo/samples',
    'src',
    'test',
    'worker',
    'README.md',
    'CONTRIBUTING.md',
    'LIMITS.md',
  ])
  const records = [
    ...files.filter(({ path }) => path.endsWith('.md')).flatMap(documentRecords),
    ...files.filter(({ path }) => isSource(path)).flatMap(sourceRecords),
    ...files.filter(({ path }) => path.startsWith('demo/samples/')).flatMap(runRecords),
  ]
  return [...new Map(records.map((record) => [record.id, record])).values()]
}

/**
 * Whether to include a TypeScript file: all of the library, but of `test/` only test files.
 * @param {string} path
 */
function isSource(path) {
  return path.startsWith('test/') ? path.endsWith('.test.ts') : path.endsWith('.ts')
}
