/**
 * Packs this package as npm would publish it and installs the tarball into an empty folder, as an app does. Its
 * dependencies are copied from this repository, so that no registry is used.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from './browsers/process-group.ts'

interface PackedPackage {
  readonly tarball: string
  /** The files in the tarball. */
  readonly files: readonly { readonly path: string; readonly size: number }[]
  /** Bytes of the tarball. */
  readonly bytes: number
}

export interface InstalledPackage extends PackedPackage {
  /** The app's folder: put files there and run them. */
  readonly app: string
  /** How long npm took to install the tarball. */
  readonly installMs: number
  remove(): Promise<void>
}

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Kept in the global object, because files in Node get modules of their own. */
const key = Symbol.for('scrubjay: the installed package')
const kept = globalThis as unknown as Record<symbol, Promise<InstalledPackage> | undefined>

/**
 * A new folder with the app in it. Uses `dist` unchanged: `npm test` builds it first. Packed and installed once per
 * process; each caller gets a copy.
 */
export async function installPackage(): Promise<InstalledPackage> {
  kept[key] ??= install()
  const { app: first, ...packed } = await kept[key]
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-app-'))
  const app = join(folder, 'app')
  await cp(first, app, { recursive: true, verbatimSymlinks: true })
  // A server that was closed a moment ago may still write there.
  return { ...packed, app, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) }
}

async function install(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-packed-'))
  const remove = ownFolder(folder)
  const packed = await packPackage(folder)
  const app = join(folder, 'app')
  await mkdir(app)
  await writeFile(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }))
  const startedMs = performance.now()
  await installTarball(packed.tarball, app)
  return { ...packed, app, installMs: performance.now() - startedMs, remove }
}

/** Puts the tarball into the folder. */
async function packPackage(folder: string): Promise<PackedPackage> {
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root)
  const [{ filename, files, size }] = JSON.parse(packed) as [
    { filename: string; files: { path: string; size: number }[]; size: number },
  ]
  return { tarball: join(folder, filename), files, bytes: size }
}

/** Into a folder that has a package.json. */
async function installTarball(tarball: string, app: string): Promise<void> {
  const staged = await mkdtemp(join(tmpdir(), 'scrubjay-dependencies-'))
  try {
    const found = dependenciesOf(root)
    const folders: string[] = []
    for (const [name, from] of found) {
      const folder = join(staged, name)
      await cp(from, folder, { recursive: true })
      // npm would ask the registry for packages that it does not find at the top.
      const { dependencies: _dependencies, devDependencies: _dev, scripts: _scripts, ...manifest } = manifestOf(from)
      await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
      folders.push(folder)
    }
    const options = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', ...options, tarball, ...folders], app)
    for (const [name, from] of found) {
      const inner = join(from, 'node_modules')
      if (existsSync(inner)) await cp(inner, join(app, 'node_modules', name, 'node_modules'), { recursive: true })
    }
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

/** The folders of all packages that this one needs at run time, by name. */
function dependenciesOf(folder: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
    // One that a dependency has in a folder of its own is copied with it.
    const isInside = folder !== root && existsSync(join(folder, 'node_modules', name))
    if (found.has(name) || isInside) continue
    found.set(name, findPackage(name))
    dependenciesOf(found.get(name)!, found)
  }
  return found
}

/** As Node does: in the repository's folder, then in those above it. */
function findPackage(name: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) return path
    if (dirname(folder) === folder) throw new Error(`${name} must be installed: run npm ci`)
  }
}

function manifestOf(folder: string): Record<string, object> & { dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Runs a program to its end and resolves to its output; rejects with its errors. */
export async function run(command: string, args: readonly string[], folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
