/**
 * Builds the library if it is stale, and the demo into a folder: the page with Vite, the sample store from the texts in
 * `sample/`. The page uses only the public exports of the package.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { sampleRecords, sampleToday } from './sample/sample.mjs'
import { pagePolicy } from './security-policy.mjs'

const demoRoot = dirname(fileURLToPath(import.meta.url))
const repositoryRoot = resolve(demoRoot, '..')

// The test runner uses the same stamp, so the library is not built twice.
const buildStamp = join(repositoryRoot, 'node_modules/.cache/scrubjay/built')
const libraryInputs = [
  'src',
  'worker',
  'bundle',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'worker-plugins.ts',
]

/**
 * Writes page, worker, assets and `sample.scrubjay`; replaces the contents of the folder.
 * @param {string} outDir
 */
export async function buildDemo(outDir) {
  await build({
    configFile: false,
    root: demoRoot,
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins: [policyTag(pagePolicy)],
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Inlined assets would be data: URLs, which the security policy blocks.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  writeFileSync(join(outDir, 'sample.scrubjay'), await sampleExport())
}

/** @returns {Promise<Buffer>} the sample as an export with vectors; the engine of the built library makes it */
async function sampleExport() {
  const { openRecall } = await import(pathToFileURL(join(repositoryRoot, 'dist/src/index.js')).href)
  const store = await openRecall({ name: 'sample', storage: 'memory', runtime: 'inline', now: () => sampleToday })
  try {
    const { records } = await store.put(sampleRecords())
    const refused = records.find((/** @type {{ outcome: string }} */ { outcome }) => outcome !== 'inserted')
    if (refused !== undefined) throw new Error(`A record of the sample was refused: ${JSON.stringify(refused)}`)
    const parts = []
    for await (const part of store.exportTo()) parts.push(part)
    return Buffer.concat(parts)
  } finally {
    await store.close()
  }
}

/** Whether the library was never built, or a source is newer than the build. */
export function isLibraryStale() {
  if (!existsSync(join(repositoryRoot, 'dist/src/index.js')) || !existsSync(buildStamp)) return true
  const builtMs = statSync(buildStamp).mtimeMs
  return libraryInputs.some((path) => newestMs(join(repositoryRoot, path)) > builtMs)
}

/** @returns {Promise<boolean>} whether the build succeeded */
export async function buildLibrary() {
  const startedAt = new Date()
  if (!(await runNpm(['run', '--silent', 'build']))) return false
  mkdirSync(dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, `${startedAt.toISOString()}\n`)
  return true
}

/**
 * Adds the policy to the page as a meta tag, for servers that do not send the header.
 * @param {string} content
 */
export function policyTag(content) {
  return {
    name: 'content-security-policy',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content },
        injectTo: /** @type {const} */ ('head-prepend'),
      },
    ],
  }
}

/** Maps the package's exports to their files, as if the package were installed. */
export function publicEntries() {
  const { name, exports } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([entry, target]) => ({
      find: new RegExp(`^${entry.replace('.', name)}$`),
      replacement: join(repositoryRoot, target.browser ?? target.import ?? target.default),
    }))
}

/**
 * @param {string} path
 * @returns {number} time of the file in ms, or of the newest file in a folder; 0 if it does not exist
 */
function newestMs(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<boolean>}
 */
function runNpm(args) {
  return new Promise((done) => {
    const child = spawn('npm', args, { cwd: repositoryRoot, stdio: 'inherit', shell: process.platform === 'win32' })
    child.on('error', () => done(false))
    child.on('close', (code) => done(code === 0))
  })
}
