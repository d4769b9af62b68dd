/** All that only locked stores need: ciphers, and where each kind of storage keeps its locks. `engine/load-lock.ts` loads it when a store is locked. */
export { checkStoredLock } from './check-lock.ts'
export { createKeyring } from './common/keyring.ts'
export { unlockBytes } from './indexeddb/encrypted-bytes.ts'
export { openKeyFile } from './opfs/key-file.ts'
