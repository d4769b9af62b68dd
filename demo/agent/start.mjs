/** `npm run agent`: builds what is missing, serves the agent on this machine and prints its address. */
import { fileURLToPath } from 'node:url'
import { serveDemo } from '../serve-demo.mjs'
import { buildAgent, policy } from './build.mjs'

const outDir = fileURLToPath(new URL('dist', import.meta.url))

process.exitCode = await serveDemo({ name: 'the agent', outDir, build: buildAgent, policy: policy.header })
