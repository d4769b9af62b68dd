/**
 * The peers that are not among the project's own development dependencies, and the folder outside the repository that they
 * are installed into: together they are larger than the project, and nothing but the bench needs them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Package → exact version. */
export const peerPackages = Object.freeze({
  zbsearch: '4.0.0',
  'hnswlib-wasm': '0.8.2',
  edgevec: '0.9.0',
  'voy-search': '0.6.3',
  '@electric-sql/pglite': '0.5.14',
  '@electric-sql/pglite-pgvector': '0.0.15',
  'sqlite-vec-wasm-demo': '0.1.7-alpha.2',
})

export const peersFolder = resolve(
  process.env.SCRUBJAY_BENCH_PEERS ?? join(homedir(), '.cache', 'scrubjay-bench-peers'),
)

/**
 * Version of an installed package, or null when it is not there.
 * @param {string} name
 * @returns {string | null}
 */
export function installedVersion(name) {
  const path = join(peersFolder, 'node_modules', name, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : null
}
