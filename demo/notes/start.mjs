/**
 * `npm run notes`: builds what is missing, serves the notes app locally and prints its address. The default port is fixed,
 * because browsers store notes by address; `npm run notes -- --port 8080` chooses another port.
 */
import { fileURLToPath } from 'node:url'
import { startApp } from '../start-app.mjs'
import { buildNotes, policy } from './build.mjs'

process.exitCode = await startApp({
  name: 'Scrubjay Notes',
  command: 'npm run notes',
  build: buildNotes,
  outDir: fileURLToPath(new URL('dist', import.meta.url)),
  defaultPort: 4750,
  policy: policy.header,
})
