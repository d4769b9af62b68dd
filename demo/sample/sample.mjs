/**
 * The sample store: this repository's own documents, sources and captured test runs as records. Everything in it is
 * ours to ship, and the same checkout gives the same records. Git is not asked.
 */
import { documentRecords } from './documents.mjs'
import { listFiles } from './files.mjs'
import { runRecords } from './runs.mjs'
import { sourceRecords } from './sources.mjs'

/**
 * @param {string} root the checkout
 * @returns {readonly import('scrubjay').RecordInput[]} with ids of their own, each once
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
    ...files.filter(({ path }) => isTold(path)).flatMap(sourceRecords),
    ...files.filter(({ path }) => path.startsWith('demo/samples/')).flatMap(runRecords),
  ]
  return [...new Map(records.map((record) => [record.id, record])).values()]
}

/**
 * Sources of the library, and what the tests say; not how they are run.
 * @param {string} path
 */
function isTold(path) {
  return path.startsWith('test/') ? path.endsWith('.test.ts') : path.endsWith('.ts')
}
