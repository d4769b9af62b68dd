/**
 * Recognises folders that a store must not be in, and folders where it is at risk. A network file system lets other machines write to the
 * file, which no local lock can prevent. A program that synchronises a folder copies files while they change.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'

/** The name of the network file system that a folder is on; null: it is local, or this system does not say. */
export function networkOf(folder: string): string | null {
  // A drive letter of a share is resolved to the share's own path before.
  if (process.platform === 'win32') return isShare(folder) ? 'a network share' : null
  if (process.platform === 'darwin') return networkMount(folder, listMounts())
  if (process.platform !== 'linux') return null
  const type = Number(statfsSync(folder).type) >>> 0
  return nameOfNetwork(type, type === fuse ? mountOf(folder, readMounts()) : null)
}

/** Whether a path of Windows names another machine. `\\\\?\\` and `\\\\.\\` begin paths of this one. */
export function isShare(folder: string): boolean {
  return /^\\\\(?:[^?.\\]|[?.]\\UNC\\)/i.test(folder)
}

/** `type`: the `f_type` of statfs(2). `mount`: the type of the mount, which is needed for FUSE only. */
export function nameOfNetwork(type: number, mount: string | null): string | null {
  if (type !== fuse) return networkTypes.get(type) ?? null
  // FUSE serves local disks, too; its mount says which program serves it.
  return mount !== null && networkFuse.test(mount) ? `the network file system ${mount}` : null
}

/** Why a store in this folder is at risk, as a sentence; null: it is not known to be. */
export function syncRiskOf(folder: string): string | null {
  const service = syncedBy(folder)
  return service === null
    ? null
    : `The file is in a folder of ${service}, which copies files while they change: a copy may be damaged. Keep the store outside of it, and export to it.`
}

/** The service that synchronises a folder, by the names that these services give their folders. */
export function syncedBy(folder: string): string | null {
  const path = folder.replaceAll('\\', '/')
  return services.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

const services: readonly (readonly [RegExp, string])[] = [
  [/\/Library\/Mobile Documents(?:\/|$)|\/iCloud ?Drive(?:\/|$)/i, 'iCloud Drive'],
  [/\/Dropbox(?: \([^/]*\))?(?:\/|$)|\/CloudStorage\/Dropbox[^/]*(?:\/|$)/i, 'Dropbox'],
  [/\/OneDrive(?: - [^/]*)?(?:\/|$)|\/CloudStorage\/OneDrive[^/]*(?:\/|$)/i, 'OneDrive'],
  [/\/Google ?Drive(?:\/|$)|\/CloudStorage\/GoogleDrive[^/]*(?:\/|$)/i, 'Google Drive'],
]

/** `f_type` of statfs(2), from linux/magic.h and the file systems' own headers. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS (SMB)'],
  [0xfe534d42, 'SMB 2'],
  [0x01021997, '9P (a folder of the host)'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x19830326, 'BeeGFS'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
])
const fuse = 0x65735546

const networkFuse =
  /^fuse\.(?:sshfs|s3fs|rclone|gcsfuse|glusterfs|davfs2?|curlftpfs|ceph|juicefs|goofys|blobfuse2?|mountpoint-s3)/

/** The type of the mount that a path is on, from the text of /proc/self/mountinfo (proc(5)). */
export function mountOf(path: string, mounts: string): string | null {
  let longest = ''
  let found: string | null = null
  for (const line of mounts.split('\n')) {
    const [left = '', right = ''] = line.split(' - ')
    const point = left
      .split(' ')[4]
      ?.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    const isAbove = point === '/' || path === point || path.startsWith(`${point}/`)
    // Of two mounts on one point, the later one is on top.
    if (point === undefined || !isAbove || point.length < longest.length) continue
    longest = point
    found = right.split(' ')[0] ?? null
  }
  return found
}

/** The network file system that a folder of macOS is on, from the output of mount(8): `//host/share on /Volumes/share (smbfs, nodev)`. */
export function networkMount(folder: string, mounts: string): string | null {
  let longest = ''
  let found: string | null = null
  for (const line of mounts.split('\n')) {
    const [, point = '', type = ''] = / on (\/.*) \(([^\s,)]+)/.exec(line) ?? []
    const isAbove = point === '/' || folder === point || folder.startsWith(`${point}/`)
    if (point === '' || !isAbove || point.length < longest.length) continue
    longest = point
    found = networkMac.test(type) ? `the network file system ${type}` : null
  }
  return found
}

const networkMac = /^(?:smbfs|nfs|afpfs|webdav|ftp|macfuse|osxfuse|fuse-t)$/

/** Empty if it cannot be read: then no mount is known. */
function listMounts(): string {
  try {
    return execFileSync('/sbin/mount', { encoding: 'utf8', timeout: 5_000, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}
