/** What storage needs for locked stores alone: ciphers, and where each kind of storage keeps its locks. */
export { changeLock } from './change-lock.ts'
export { checkStoredLock } from './check-lock.ts'
export { createKeyring } from './common/keyring.ts'
export { unlockBytes } from './indexeddb/encrypted-bytes.ts'
export { openKeyFile } from './opfs/key-file.ts'
