/**
 * `npm start`: builds what is missing, serves the demo on this machine and prints its address.
 * `npm start -- --port 8080` (or PORT=8080) asks for a port; without one, any free port is taken.
 */
import { fileURLToPath } from 'node:url'
import { buildDemo } from './build.mjs'
import { startApp } from './start-app.mjs'

process.exitCode = await startApp({
  name: 'Scrubjay',
  command: 'npm start',
  build: buildDemo,
  outDir: fileURLToPath(new URL('dist', import.meta.url)),
  defaultPort: 0,
})
