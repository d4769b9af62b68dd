/**
 * Says which sources are mutated: all that the packages of this repository ship, by their package.json, so that a new folder is mutated
 * from its first day.
 */

export interface PackageFiles {
  /** The folder of package.json, '' for the root. */
  readonly folder: string
  readonly files: readonly string[]
}

/** Folders and files whose sources are shipped; the build puts `src` into `dist/src`. */
export function shippedRoots(packages: readonly PackageFiles[]): readonly string[] {
  const roots = packages.flatMap(({ folder, files }) =>
    files
      .filter((file) => !file.startsWith('!'))
      .map((file) => file.replace(/^\//, ''))
      .flatMap((file) => {
        if (folder !== '') return isCode(file) ? [`${folder}/${file}`] : []
        const [, built] = /^dist\/([^/]+)/.exec(file) ?? []
        return built === undefined ? [] : [`${built}/`]
      }),
  )
  return [...new Set(roots)]
}

export const shippedSources = (paths: readonly string[], roots: readonly string[]): readonly string[] =>
  paths.filter(
    (path) => isCode(path) && roots.some((root) => (root.endsWith('/') ? path.startsWith(root) : path === root)),
  )

/** `src/core`, `worker/storage`, or a file's own folder nearer to the root. */
export const areaOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/')

const isCode = (path: string) => /(?<!\.d)\.[jt]s$/.test(path)
