/** Tests which folders are recognised as on a network, or as copied by a program that synchronises them. */
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import {
  isShare,
  mountOf,
  nameOfNetwork,
  networkMount,
  networkOf,
  syncedBy,
  syncRiskOf,
} from '../../../worker/node/file-systems.ts'

const fuse = 0x65735546
const mounts = [
  '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
  '30 22 0:40 / /home/mira/server rw - fuse.sshfs mira@host:/ rw,user_id=1000',
  '31 22 0:41 / /home/mira/my\\040disk rw master:1 - fuseblk /dev/sdb1 rw',
  '32 22 0:42 / /mnt rw - tmpfs none rw',
  '33 22 0:43 / /mnt rw - fuse.rclone remote: rw',
].join('\n')

test.each([
  ['/home/mira/server/notes', 'fuse.sshfs'],
  ['/home/mira/server', 'fuse.sshfs'],
  ['/home/mira/servers', 'ext4'],
  ['/home/mira/my disk/notes', 'fuseblk'],
  ['/mnt/notes', 'fuse.rclone'],
  ['/', 'ext4'],
])('the mount of %s is the deepest and latest one above it', (path, type) => {
  expect(mountOf(path, mounts)).toBe(type)
})

test.each([
  [0x6969, null, 'NFS'],
  [0xff534d42, null, 'CIFS (SMB)'],
  [0xfe534d42, null, 'SMB 2'],
  [fuse, 'fuse.sshfs', 'the network file system fuse.sshfs'],
  [fuse, 'fuse.rclone', 'the network file system fuse.rclone'],
])('type %i with mount %s is a network', (type, mount, name) => {
  expect(nameOfNetwork(type, mount)).toBe(name)
})

test.each([
  [0xef53, 'ext4'],
  [0x9123683e, 'btrfs'],
  [fuse, 'fuseblk'],
  [fuse, null],
])('control: type %i with mount %s is local', (type, mount) => {
  expect(nameOfNetwork(type, mount)).toBeNull()
})

test.each([
  ['\\\\server\\share\\notes', true],
  ['\\\\?\\UNC\\server\\share\\notes', true],
  ['C:\\Users\\mira\\notes', false],
  ['\\\\?\\C:\\Users\\mira\\notes', false],
])('on Windows, %s is on another machine: %s', (path, isRemote) => {
  expect(isShare(path)).toBe(isRemote)
})

const macMounts = [
  '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
  '/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)',
  '//mira@server/my (old) notes on /Volumes/my (old) notes (smbfs, nodev, nosuid, mounted by mira)',
  'server:/home on /Users/mira/nfs (nfs, asynchronous)',
  '/dev/disk4s1 on /Volumes/stick (msdos, local, nodev)',
].join('\n')

test.each([
  ['/Volumes/my (old) notes/a', 'the network file system smbfs'],
  ['/Users/mira/nfs', 'the network file system nfs'],
  ['/Users/mira/nfs2', null],
  ['/Volumes/stick', null],
  ['/Users/mira', null],
])('on macOS, %s is on %s', (path, name) => {
  expect(networkMount(path, macMounts)).toBe(name)
})

test('the folder of temporary files is local', () => {
  expect(networkOf(tmpdir())).toBeNull()
  expect(syncRiskOf(tmpdir())).toBeNull()
})

test.each([
  ['/Users/mira/Library/Mobile Documents/com~apple~CloudDocs/notes', 'iCloud Drive'],
  ['/Users/mira/Library/CloudStorage/OneDrive-Personal/notes', 'OneDrive'],
  ['/home/mira/Dropbox', 'Dropbox'],
  ['/home/mira/Dropbox (Work)/notes', 'Dropbox'],
  ['/home/mira/OneDrive - Jay Ltd/notes', 'OneDrive'],
  ['/home/mira/Google Drive/notes', 'Google Drive'],
  ['C:\\Users\\mira\\OneDrive\\notes', 'OneDrive'],
])('%s belongs to %s', (folder, service) => {
  expect(syncedBy(folder)).toBe(service)
  expect(syncRiskOf(folder)).toMatch(new RegExp(`${service}.*may be damaged`))
})

test.each(['/home/mira/dropboxes', '/home/mira/onedrive-notes', '/srv/data'])(
  'control: %s belongs to none',
  (folder) => {
    expect(syncedBy(folder)).toBeNull()
  },
)
