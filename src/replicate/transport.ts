/** The port to a store of blobs: a folder, WebDAV, S3. Blobs have names of letters, digits and `-`, and are sealed. */

export interface Blob {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Changes whenever the bytes change. */
  readonly etag: string
}

export interface Transport {
  /** Names of all blobs with their etags. Other files of the place may be named, too. */
  list(): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string>
  /** Null if there is no such blob. */
  get(name: string): Promise<Blob | null>
  /**
   * Writes a blob, if its etag is still `ifMatch`; null: if there is none. Resolves to its new etag, or to null if another device has
   * written it.
   */
  put(name: string, bytes: Uint8Array<ArrayBuffer>, ifMatch: string | null): Promise<string | null>
}
