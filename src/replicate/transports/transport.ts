/** The port to a store of blobs: a folder, WebDAV, S3. Blobs have names of letters, digits and `-`, and are encrypted. */

/** Names a version of a blob: changes whenever its bytes change. */
export type Etag = string | number

export interface StoredBlob {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: Etag
}

/** Given to each call of a transport. A transport may ignore it: then `replicate` stops waiting, but what the call has begun goes on. */
export interface RequestLimits {
  /** Aborts at the deadline of the call, when the round failed, and at `stop`. */
  readonly signal: AbortSignal
  /** Larger blobs are refused. */
  readonly maxBytes: number
}

export interface Transport {
  /** Names of all blobs with their etags. Other files of the place may be named, too. */
  list(limits?: RequestLimits): Promise<ReadonlyMap<string, Etag>> | ReadonlyMap<string, Etag>
  /** Null or undefined if there is no such blob. */
  get(name: string, limits?: RequestLimits): Promise<StoredBlob | null | undefined>
  /**
   * Writes a blob, if its etag is still `ifMatch`; undefined: if there is none. Resolves to its new etag, or to null if another device has
   * written it.
   */
  put(
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    ifMatch: Etag | undefined,
    limits?: RequestLimits,
  ): Promise<Etag | null>
}
