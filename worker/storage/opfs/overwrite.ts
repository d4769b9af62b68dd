/** Overwrites what is to be removed. What flash memory or the file system keep of it elsewhere is out of reach. */

/** Overwrites a file, or all files of a folder, with zeros. */
export async function overwrite(entry: FileSystemFileHandle | FileSystemDirectoryHandle | null): Promise<void> {
  if (entry?.kind === 'directory') for await (const inside of entry.values()) await overwrite(inside)
  if (entry?.kind !== 'file') return
  const handle = await entry.createSyncAccessHandle()
  const zeros = new Uint8Array(1 << 20)
  for (let at = 0, left; (left = handle.getSize() - at) > 0; at += zeros.length)
    handle.write(zeros.subarray(0, left), { at })
  handle.flush()
  handle.close()
}
