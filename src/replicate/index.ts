/** The entry `scrubjay/replicate`: one store on several devices, through a store of encrypted blobs. */
export type { ReplicatedStore, ReplicateOptions, Replication, RoundReport } from './options.ts'
export { replicate } from './replicate.ts'
export { type DirectoryHandle, folderTransport } from './transports/folder.ts'
export { type MemoryTransport, memoryTransport } from './transports/memory.ts'
export { type S3Options, s3Transport } from './transports/s3.ts'
export type { Etag, StoredBlob, Transport } from './transports/transport.ts'
export { type WebDavOptions, webDavTransport } from './transports/web-dav.ts'
