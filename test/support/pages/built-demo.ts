/** Builds the demo like `npm start`: once per process, and each test file gets a copy that it may change. */
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDemo } from '../../../demo/build.mjs'
import { ownFolder } from '../browsers/process-group.ts'

let built: Promise<string> | undefined

/** A new folder with the demo in it; the caller deletes it. */
export async function copyDemo(): Promise<string> {
  built ??= build()
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-demo-'))
  await cp(await built, folder, { recursive: true })
  return folder
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-demo-built-'))
  ownFolder(folder)
  await buildDemo(folder)
  return folder
}
