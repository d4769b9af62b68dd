/**
 * Bundles the official SDK into `dist/src/mcp/sdk.js`, which the compiler has written with imports of packages. Only this file is
 * bundled: errors and tools are the modules that the app imports, too.
 */
/* oxlint-disable no-restricted-imports -- a script of the build, which is not part of the package. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

await build({
  absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
  entryPoints: ['src/mcp/sdk.ts'],
  outfile: 'dist/src/mcp/sdk.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
})
