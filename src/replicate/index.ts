/** The entry `scrubjay/replicate`: one store on several devices, through a store of sealed blobs. */
export type { ReplicatedStore, ReplicateOptions, Replication, RoundReport } from './options.ts'
export { replicate } from './replicate.ts'
export type { Blob, Transport } from './transport.ts'
export { type MemoryTransport, memoryTransport } from './transports/memory.ts'
export { type WebDavOptions, webDavTransport } from './transports/web-dav.ts'
