/** `npm run agent`: builds what is missing, serves the agent locally and prints its address. */
import { fileURLToPath } from 'node:url'
import { startApp } from '../start-app.mjs'
import { buildAgent, policy } from './build.mjs'

process.exitCode = await startApp({
  name: 'The agent',
  command: 'npm run agent',
  build: buildAgent,
  outDir: fileURLToPath(new URL('dist', import.meta.url)),
  policy: policy.header,
})
