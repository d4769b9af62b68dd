/** Builds an app of the demos once per process: a build takes seconds, and most test files only need the result. */
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownFolder } from '../browsers/process-group.ts'

type Build = (folder: string) => Promise<unknown>

const built = new Map<Build, Promise<string>>()

/** Puts what `build` makes into a folder of the caller. */
export async function copyBuilt(build: Build, folder: string): Promise<void> {
  const made = built.get(build) ?? make(build)
  built.set(build, made)
  await cp(await made, folder, { recursive: true })
}

async function make(build: Build): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-app-'))
  ownFolder(folder)
  await build(folder)
  return folder
}
