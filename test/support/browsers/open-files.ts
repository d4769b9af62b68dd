/** Counts the stored files that a browser holds open. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from './browsers.ts'

/**
 * Stored files that the browser's processes hold open, without the browser’s own lists of them and of their sizes; 0 where there is no
 * /proc.
 */
export function openFiles({ processId }: Browser): number {
  if (!existsSync('/proc/self/fd')) return 0
  const processes = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && groupOf(entry) === processId)
  return processes.reduce((sum, entry) => sum + countFiles(`/proc/${entry}/fd`), 0)
}

function groupOf(entry: string): number {
  try {
    // After the name, which may contain any character: state, parent, group.
    return Number(readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[2])
  } catch {
    return 0
  }
}

function countFiles(folder: string): number {
  try {
    const links = readdirSync(folder).map((fd) => linkOf(join(folder, fd)))
    return links.filter((link) => /File System|\/fs\//.test(link) && !/\/(?:Paths|Origins)\/|\/\.usage$/.test(link))
      .length
  } catch {
    return 0
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
