/** `npm run webmcp`: builds what is missing, serves the WebMCP page locally and prints its address. */
import { fileURLToPath } from 'node:url'
import { startApp } from '../start-app.mjs'
import { buildWebMcp } from './build.mjs'

process.exitCode = await startApp({
  name: 'The WebMCP page',
  command: 'npm run webmcp',
  build: buildWebMcp,
  outDir: fileURLToPath(new URL('dist', import.meta.url)),
})
