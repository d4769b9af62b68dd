/** Reads the repository's text files with path, hash and time. Skips generated files. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} SampleFile
 * @property {string} path relative to the root of the checkout, with `/`
 * @property {string} text
 * @property {number} mtime ms
 * @property {string} sha256
 */

/**
 * @param {string} root
 * @param {readonly string[]} paths files or folders; missing ones are left out
 * @returns {readonly SampleFile[]} sorted by path within each folder
 */
export function listFiles(root, paths) {
  return paths.flatMap((path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    if (found === undefined) return []
    if (!found.isDirectory()) return isText(path) ? [readOne(root, path, found.mtimeMs)] : []
    const names = readdirSync(join(root, path))
      .filter((name) => !skippedNames.has(name))
      .sort()
    return listFiles(
      root,
      names.map((name) => `${path}/${name}`),
    )
  })
}

/**
 * Derives the project (an area of the repository) and the tags from a path.
 * @param {string} path
 * @returns {{ project: string, tags: readonly string[] }}
 */
export function placeOf(path) {
  const folders = path.split('/').slice(0, -1)
  const area = folders[0] === 'src' ? (folders[1] ?? 'client') : (folders[0] ?? 'scrubjay')
  const tags = folders.filter((folder) => folder !== 'src' && folder !== area)
  return { project: area, tags: [...new Set(tags)] }
}

/**
 * @param {SampleFile} file
 * @returns {{ path: string, sha256: string, mtime: number }}
 */
export function referenceTo({ path, sha256, mtime }) {
  return { path, sha256, mtime }
}

const skippedNames = new Set(['dist', 'node_modules', 'assembly'])

/** @param {string} path */
function isText(path) {
  return /\.(md|ts|mjs|css|txt)$/.test(path) && !/\.generated\.|NOTICE\.md$/.test(path)
}

/**
 * @param {string} root
 * @param {string} path
 * @param {number} mtimeMs
 * @returns {SampleFile}
 */
function readOne(root, path, mtimeMs) {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, mtime: Math.floor(mtimeMs), sha256: createHash('sha256').update(text).digest('hex') }
}
