/**
 * `npm run notes`: builds what is missing, serves the notes app on this machine and prints its address. The port is always
 * the same unless another one is asked for (`npm run notes -- --port 8080`): a browser keeps notes by address.
 */
import { fileURLToPath } from 'node:url'
import { startApp } from '../start-app.mjs'
import { buildNotes } from './build.mjs'

process.exitCode = await startApp({
  name: 'Scrubjay Notes',
  command: 'npm run notes',
  build: buildNotes,
  outDir: fileURLToPath(new URL('dist', import.meta.url)),
  defaultPort: 4750,
})
