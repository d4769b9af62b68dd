/**
 * Builds `dist/src/standalone/index.js`: the entry `scrubjay` with its imports in one file, for pages without a bundler. The file is
 * as deep in the folder tree as `dist/src/client`, so that its relative URLs of workers and table are right.
 */
/* oxlint-disable no-restricted-imports -- a script of the build, which is not part of the bundle. */
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
