/** The demo, built like `npm start`: each test file gets a copy that it may change. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDemo } from '../../../demo/build.mjs'
import { copyBuilt } from './built-app.ts'

/** A new folder with the demo in it; the caller deletes it. */
export async function copyDemo(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-demo-'))
  await copyBuilt(buildDemo, folder)
  return folder
}
