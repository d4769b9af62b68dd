/** `npm start`: builds what is missing, serves the demo on this machine and prints its address. */
import { fileURLToPath } from 'node:url'
import { buildDemo } from './build.mjs'
import { headerPolicy } from './security-policy.mjs'
import { serveDemo } from './serve-demo.mjs'

const outDir = fileURLToPath(new URL('dist', import.meta.url))

process.exitCode = await serveDemo({ name: 'the demo', outDir, build: buildDemo, policy: headerPolicy })
