/** `npm start`: builds what is missing, serves the demo locally and prints its address. */
import { fileURLToPath } from 'node:url'
import { buildDemo } from './build.mjs'
import { startApp } from './start-app.mjs'

process.exitCode = await startApp({
  name: 'Scrubjay',
  command: 'npm start',
  build: buildDemo,
  outDir: fileURLToPath(new URL('dist', import.meta.url)),
})
