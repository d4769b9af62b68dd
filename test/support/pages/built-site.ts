/** Builds the site like `npm run site`, for the tests: once per process; its folder is not to be changed. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSite } from '../../../site/build.ts'
import { ownFolder } from '../browsers/process-group.ts'

let built: Promise<string> | undefined

export function builtSite(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-site-'))
  ownFolder(folder)
  await buildSite(folder)
  return folder
}
