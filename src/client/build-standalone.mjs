/**
 * Makes `dist/src/standalone/index.js`: the entry `scrubjay` with what it imports, as one file for pages without a bundler. It
 * lies as deep as `dist/src/client`, so that its addresses of the workers and of the table hold as they are written.
 */
/* oxlint-disable no-restricted-imports -- a script of the build, no part of what is built. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

await build({
  absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
  entryPoints: ['dist/src/index.js'],
  outfile: 'dist/src/standalone/index.js',
  bundle: true,
  format: 'esm',
  target: 'es2023',
  minify: true,
  logLevel: 'warning',
})
