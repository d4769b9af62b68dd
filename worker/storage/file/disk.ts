/** The part of a file system that a store in a file needs. All calls are synchronous. A failed call throws the platform's own error. */
export interface Disk {
  /** Opens a file for reading and writing. Creates it, readable by its owner only, if `create` is set. */
  open(path: string, create: boolean): DiskFile
  exists(path: string): boolean
  /** Removes a file. Does nothing if it does not exist. */
  remove(path: string): void
  /** The file that has this path; null if there is none. A link is a file of its own. */
  findAt(path: string): FoundFile | null
  /** Replaces a file by a copy of it, durably. A process that has the old one open no longer writes to what the path names. */
  renew(path: string): void
  /** Makes the names in the folder of this file durable: created and removed files stay so after a power loss. */
  syncFolder(path: string): void
  /** Throws the keys of a locked store away. Absent: it is not locked. */
  forgetKeys?(): void
}

export interface FoundFile {
  /** Other files have other names. */
  readonly identity: string
  readonly bytes: number
}

export interface DiskFile {
  /** As `findAt` of its path when it was opened. */
  readonly identity: string
  size(): number
  /** Returns the number of bytes read: fewer than asked only at the end of the file. */
  read(target: Uint8Array, offset: number): number
  /** Writes all bytes, or throws. */
  write(source: Uint8Array, offset: number): void
  truncate(size: number): void
  /** Returns when all bytes written so far survive a power loss. */
  sync(): void
  close(): void
}
