/** The unfinished copy of a file that is being encrypted or decrypted. */
import { nodeDisk } from './node-disk.ts'

/** Chosen so that no one gives a copy of their own such a name: it is removed at the next opening. */
export const unfinishedEnd = '-converting'

export function copyOf(path: string): string {
  return path + unfinishedEnd
}

/** After a kill, it may hold in plain bytes what the file holds encrypted. The caller owns the file. */
export function removeCopy(path: string): void {
  for (const end of ['-wal', '-wal-new', '-journal', '-revision', '']) nodeDisk.remove(copyOf(path) + end)
}
