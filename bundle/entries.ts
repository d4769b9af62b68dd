/** Lists what `dist/src` has a file for: the entries of package.json, the command, and what Node loads through `#inline`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin: Readonly<Record<string, string>>
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

export const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Manifest

/** Paths without ending, from `dist` and from the root: `src/core/index`. */
export const publicEntries: readonly string[] = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [nameOf(target.default)],
)

export const programs: readonly string[] = Object.values(manifest.bin).map(nameOf)

export const inlineEntries: readonly string[] = Object.values(manifest.imports['#inline'] ?? {}).map(nameOf)

function nameOf(file: string): string {
  return file.replace(/^\.\/dist\//, '').replace(/\.js$/, '')
}
