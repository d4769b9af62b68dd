/**
 * Matches stored paths with the files of a chosen folder. Pure. Paths that may belong to another folder are unknown, which
 * differs from missing.
 */

export interface MatchedPaths {
  /** Stored path → path in the folder. */
  readonly present: ReadonlyMap<string, string>
  /** Stored paths that belong to the folder, but have no file there. */
  readonly missing: readonly string[]
  /** Stored paths that may belong to another folder. */
  readonly unknown: readonly string[]
}

/**
 * A stored path matches the file of that path; or that path without the folder's own name; or, for partial paths
 * (`../stem.ts`, `text/stem.ts`), the only file with that ending. A path is missing if the folder has its first part, but not
 * the file.
 */
export function matchPaths(stored: readonly string[], folderName: string, files: readonly string[]): MatchedPaths {
  const byPath = new Map(files.flatMap((path) => [[path, path] as const, [`${folderName}/${path}`, path] as const]))
  // If a subfolder has the same name as the folder, its paths win.
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

/** Every ending of every path after a `/`; null if several files share it. */
function endings(files: readonly string[]): ReadonlyMap<string, string | null> {
  const byEnding = new Map<string, string | null>()
  for (const path of files) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const end = path.slice(at + 1)
      byEnding.set(end, byEnding.has(end) ? null : path)
    }
  }
  return byEnding
}
