/** Files that were picked or dropped, each with its path: from the folder that was given, or its name alone. */
import { isPassedOver } from './read-folder.ts'

export interface NamedFile {
  /** With `/`. Two files of one import never have the same. */
  readonly path: string
  readonly file: File
}

/** Files of a picker, without those in hidden folders and in folders that hold nobody's work. */
export function pickedFiles(files: Iterable<File>): readonly NamedFile[] {
  return distinct([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })))
}

/** Files and whole folders. Must be called while the drop is being handled. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<readonly NamedFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry())
  // Without a folder the files say all. What a program puts into a drop has no entry, or in WebKit one that cannot be read.
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
  if (isPassedOver(path)) return
  if (isFile(entry)) {
    found.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // It gives a hundred at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return
    for (const one of some) await walk(one, found)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

/** Files without a folder may share a name; they came from different ones. */
function distinct(files: readonly NamedFile[]): readonly NamedFile[] {
  const taken = new Set<string>()
  return files
    .filter(({ path }) => !isPassedOver(path))
    .map(({ path, file }) => {
      let free = path
      for (let number = 2; taken.has(free); number++) free = numbered(path, number)
      taken.add(free)
      return { path: free, file }
    })
}
