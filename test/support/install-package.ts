/**
 * Packs this package as npm would publish it and installs the tarball into an empty folder, as an app does. Its
 * dependency is copied from this repository, so that no registry is used.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

let installed: Promise<InstalledPackage> | undefined

/**
 * A new folder with the app in it. Uses `dist` unchanged: `npm test` builds it first. Packed and installed once per
 * process; each caller gets a copy.
 */
export async function installPackage(): Promise<InstalledPackage> {
  installed ??= install()
  const { app: first, ...packed } = await installed
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-app-'))
  const app = join(folder, 'app')
  await cp(first, app, { recursive: true, verbatimSymlinks: true })
  return { ...packed, app, remove: () => rm(folder, { recursive: true, force: true }) }
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
  const dependencies = ['comlink'].map((name) => join(root, 'node_modules', name))
  const options = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options, tarball, ...dependencies], app)
}

/** Runs a program to its end and resolves to its output; rejects with its errors. */
export async function run(command: string, args: readonly string[], folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
