/**
 * The file system of a server over the files of a fake disk: names that were created, removed or replaced since the folder was synced may vanish or come
 * back when the power fails.
 */
import type { Disk, DiskFile } from '../../../worker/storage/file/disk.ts'
import { copyOf, everyFile, type FakeFile, type FakeFolder, isFolder, newFile } from './fake-content.ts'

interface Parts {
  readonly root: FakeFolder
  /** Files that were removed since the folder was synced, by path. */
  readonly removed: Map<string, FakeFile>
  assertAlive(): void
  beforeChange(call: 'write' | 'flush'): void
  openHandle(file: FakeFile): {
    read(target: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number
    write(source: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number
    getSize(): number
    truncate(size: number): void
    flush(): void
    close(): void
  }
}

export function filesOver({ root, removed, assertAlive, beforeChange, openHandle }: Parts): Disk {
  const find = (path: string) => {
    const node = root.children.get(path)
    return node === undefined || isFolder(node) ? undefined : node
  }
  const syncFolder = () => {
    assertAlive()
    beforeChange('flush')
    for (const file of everyFile(root)) file.isNamed = true
    removed.clear()
  }
  return {
    open(path, create): DiskFile {
      assertAlive()
      let file = find(path)
      if (file === undefined) {
        if (!create) throw new DOMException(path, 'NotFoundError')
        beforeChange('write')
        file = { ...newFile(), isNamed: false }
        root.children.set(path, file)
      }
      const handle = openHandle(file)
      return {
        identity: identityOf(file),
        size: handle.getSize,
        read: (target, offset) => handle.read(target as Uint8Array<ArrayBuffer>, { at: offset }),
        write: (source, offset) => void handle.write(source as Uint8Array<ArrayBuffer>, { at: offset }),
        truncate: handle.truncate,
        sync: handle.flush,
        close: handle.close,
      }
    },
    exists(path) {
      assertAlive()
      return find(path) !== undefined
    },
    remove(path) {
      assertAlive()
      const file = find(path)
      if (file === undefined) return
      beforeChange('write')
      root.children.delete(path)
      if (file.isNamed) removed.set(path, file)
    },
    findAt(path) {
      assertAlive()
      const file = find(path)
      return file === undefined ? null : { identity: identityOf(file), bytes: file.seen.size }
    },
    renew(path) {
      assertAlive()
      const old = find(path)!
      beforeChange('flush')
      const copy = copyOf({ children: new Map([[path, old]]) }).children.get(path) as FakeFile
      root.children.set(path, { ...copy, isNamed: false, replaces: old })
      syncFolder()
    },
    syncFolder,
  }
}

const identities = new WeakMap<FakeFile, string>()
let named = 0

/** A name of its own for each file. */
function identityOf(file: FakeFile): string {
  const identity = identities.get(file) ?? `file ${++named}`
  identities.set(file, identity)
  return identity
}
