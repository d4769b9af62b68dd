/** Lists picked or dropped files with their paths: relative to the chosen folder, or the name alone. */

export interface NamedFile {
  /** With `/`; unique within one import. */
  readonly path: string
  readonly file: File
}

/** Files of a picker, without those in hidden folders and in folders of generated files. */
export function pickedFiles(files: Iterable<File>): readonly NamedFile[] {
  return distinct([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })))
}

/** Files and whole folders. Must be called while the drop is being handled. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<readonly NamedFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry())
  // Without a folder, `files` is complete. Files that a program put into a drop have no entry, or in WebKit an unreadable one.
  if (!entries.some((entry) => entry?.isDirectory)) return pickedFiles(files)
  const found: NamedFile[] = []
  for (const entry of entries) if (entry !== null) await walk(entry, found)
  return distinct(found)
}

/** `README.md` becomes `README (2).md`. */
export function numbered(path: string, number: number): string {
  return path.replace(/(\.[^./]+)?$/, (ending) => ` (${number})${ending}`)
}

async function walk(entry: FileSystemEntry, found: NamedFile[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '')
  if (isSkipped(path)) return
  if (isFile(entry)) {
    found.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // `readEntries` returns at most 100 entries a call.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return
    for (const one of entries) await walk(one, found)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

/** Numbers files of the same name: dropped one by one, they may come from different folders. */
function distinct(files: readonly NamedFile[]): readonly NamedFile[] {
  const used = new Set<string>()
  return files
    .filter(({ path }) => !isSkipped(path))
    .map(({ path, file }) => {
      let free = path
      for (let number = 2; used.has(free); number++) free = numbered(path, number)
      used.add(free)
      return { path: free, file }
    })
}

/** Whether a path contains a hidden folder or file, or a folder of generated files; `path` is relative, with `/`. */
function isSkipped(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || skippedFolders.has(part))
}

const skippedFolders: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__'])
