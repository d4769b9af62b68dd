/**
 * Which file of a picked folder a stored path means. Pure. A path that cannot be told is left out: nothing is known of
 * it, which is not the same as gone.
 */

export interface MatchedPaths {
  /** Stored path → path in the folder. */
  readonly present: ReadonlyMap<string, string>
  /** Stored paths whose place is in the folder, and empty. */
  readonly missing: readonly string[]
  /** Stored paths that may be of any other folder. */
  readonly unknown: readonly string[]
}

/**
 * A stored path means the file of that path; or that path below the folder's own name; or, for a path as texts mention
 * it (`../stem.ts`, `text/stem.ts`), the only file that ends so. It is missing when its first folder is here and it is not.
 */
export function matchPaths(stored: readonly string[], folderName: string, files: readonly string[]): MatchedPaths {
  const byPath = new Map(files.flatMap((path) => [[path, path] as const, [`${folderName}/${path}`, path] as const]))
  // The folder's own paths win where its name is also the name of a folder within.
  for (const path of files) byPath.set(path, path)
  const byEnd = endings(files)
  const tops = new Set([
    folderName,
    ...files.flatMap((path) => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : [])),
  ])

  const present = new Map<string, string>()
  const missing: string[] = []
  const unknown: string[] = []
  for (const path of stored) {
    const tail = path.replace(/^(?:\.{1,2}\/)+/, '')
    const file = byPath.get(tail) ?? byEnd.get(tail)
    if (file !== undefined && file !== null) present.set(path, file)
    else if (file === undefined && tail.includes('/') && tops.has(tail.slice(0, tail.indexOf('/')))) missing.push(path)
    else unknown.push(path)
  }
  return { present, missing, unknown }
}

/** Every end of every path, at a `/`; null where several files share it. */
function endings(files: readonly string[]): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>()
  for (const path of files) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const end = path.slice(at + 1)
      found.set(end, found.has(end) ? null : path)
    }
  }
  return found
}
