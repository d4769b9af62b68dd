/**
 * Reads a folder the person picked: first the names of its files, slice by slice, then time and hash of those that
 * matter. Folders that hold no one's work are passed over. Stops between two files when asked.
 */

export interface FoundFile {
  /** From the picked folder, with `/`. */
  readonly path: string
  readonly handle: FileSystemFileHandle
}

/** What a browser without a folder picker lacks. */
export type PickFolder = () => Promise<FileSystemDirectoryHandle>

/** Null where the browser has none. */
export function folderPicker(): PickFolder | null {
  const page = globalThis as { readonly showDirectoryPicker?: PickFolder }
  if (page.showDirectoryPicker === undefined) return null
  return async () => {
    const folder = await page.showDirectoryPicker?.()
    if (folder === undefined) throw new Error('The folder picker is gone.')
    return folder
  }
}

/** Enough for a large checkout; a home folder is not what is meant. */
export const maxFiles = 50_000

/** Rejects with the signal's reason when stopped. Ends at `maxFiles`. `onProgress` hears how many were seen. */
export async function listFolder(
  root: FileSystemDirectoryHandle,
  onProgress: (seen: number) => void,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  const waiting: (readonly [prefix: string, folder: FileSystemDirectoryHandle])[] = [['', root]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [prefix, folder] = next
    for await (const [name, handle] of folder.entries()) {
      signal.throwIfAborted()
      if (handle instanceof FileSystemFileHandle) found.push({ path: `${prefix}${name}`, handle })
      else if (handle instanceof FileSystemDirectoryHandle && !passedOver.has(name))
        waiting.push([`${prefix}${name}/`, handle])
      if (found.length >= maxFiles) return found
      if (found.length % sliceLength === 0) await breathe()
    }
    onProgress(found.length)
  }
  return found
}

/** SHA-256 as hex, of the bytes; null for a file too large to be read whole. */
export async function hashOf(file: File): Promise<string | null> {
  if (file.size > maxHashedBytes) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether a path leads through a hidden folder, or one that holds no one's work; `path` is relative, with `/`. */
export function isPassedOver(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || passedOver.has(part))
}

const passedOver: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__'])
const sliceLength = 200
const maxHashedBytes = 64_000_000

/** Lets the page draw and hear keys. */
function breathe(): Promise<void> {
  return new Promise((done) => setTimeout(done))
}
