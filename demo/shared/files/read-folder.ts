/**
 * Lists the files of a folder that the user chose, and hashes files. Skips hidden folders and folders of generated files.
 * Stops between two files when the signal is aborted.
 */

export interface FoundFile {
  /** Relative to the chosen folder, with `/`. */
  readonly path: string
  readonly handle: FileSystemFileHandle
}

/** Opens the browser's folder picker. */
export type PickFolder = () => Promise<FileSystemDirectoryHandle>

/** Null if the browser has no folder picker. */
export function folderPicker(): PickFolder | null {
  const page = globalThis as { readonly showDirectoryPicker?: PickFolder }
  if (page.showDirectoryPicker === undefined) return null
  return async () => {
    const folder = await page.showDirectoryPicker?.()
    if (folder === undefined) throw new Error('The folder picker is gone.')
    return folder
  }
}

/** Enough for a large checkout; stops early in a home folder. */
export const maxFiles = 50_000

/** Lists at most `maxFiles` files. `onProgress` receives the number so far. Rejects with the signal's reason when aborted. */
export async function listFolder(
  root: FileSystemDirectoryHandle,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  const waiting: (readonly [prefix: string, folder: FileSystemDirectoryHandle])[] = [['', root]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [prefix, folder] = next
    for await (const [name, handle] of folder.entries()) {
      signal.throwIfAborted()
      if (handle instanceof FileSystemFileHandle) found.push({ path: `${prefix}${name}`, handle })
      else if (handle instanceof FileSystemDirectoryHandle && !skippedFolders.has(name))
        waiting.push([`${prefix}${name}/`, handle])
      if (found.length >= maxFiles) return found
      if (found.length % sliceLength === 0) await yieldToPage()
    }
    onProgress(found.length)
  }
  return found
}

/** SHA-256 of the file's bytes in hex; null for a file above `maxHashedBytes`. */
export async function hashOf(file: File): Promise<string | null> {
  if (file.size > maxHashedBytes) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether a path contains a hidden folder or file, or a folder of generated files; `path` is relative, with `/`. */
export function isSkipped(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || skippedFolders.has(part))
}

const skippedFolders: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__'])
const sliceLength = 200
const maxHashedBytes = 64_000_000

/** Lets the page draw and handle events. */
function yieldToPage(): Promise<void> {
  return new Promise((done) => setTimeout(done))
}
