/**
 * The peers that are not development dependencies of the project, and the folder outside the repository for them:
 * together they are larger than the project, and only the bench needs them.
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
 * Version of an installed package, or null when it is missing.
 * @param {string} name
 * @returns {string | null}
 */
export function installedVersion(name) {
  const path = join(peersFolder, 'node_modules', name, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : null
}
