/**
 * Bundles the official SDK into `dist/src/mcp/sdk.js`, which the compiler has written with imports of packages. Only this file is
 * bundled: errors and tools are the modules that the app imports, too.
 */
/* oxlint-disable no-restricted-imports -- a script of the build, which is not part of the package. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** npm installs zod once for each package of the SDK, in one version: without this, the bundle holds it twice. */
const oneZod = {
  name: 'one-zod',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^zod(?:\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === 'found'
        ? undefined
        : bundler.resolve(path, {
            kind,
            resolveDir: `${root}/node_modules/@modelcontextprotocol/server`,
            pluginData: 'found',
          }),
    )
  },
}

/** The SDK validates forms with Ajv, a third of its bytes. This server shows no forms (elicitation), so it needs no validator. */
const noFormValidator = {
  name: 'no-form-validator',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'no-form-validator',
    }))
    bundler.onLoad({ filter: /.*/, namespace: 'no-form-validator' }, () => ({
      contents: `export { default as process } from 'node:process'
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('must not show forms: their validator is not in this bundle') }
}`,
    }))
  },
}

await build({
  absWorkingDir: root,
  entryPoints: ['src/mcp/sdk.ts'],
  outfile: 'dist/src/mcp/sdk.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [oneZod, noFormValidator],
})
