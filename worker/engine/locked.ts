/** All that only locked stores need. `load-lock.ts` loads it when a store is locked. */
export { changeLock, checkStoredLock, createKeyring, openKeyFile, unlockBytes } from '../storage/locked.ts'
export { holdLocks } from './hold-locks.ts'
export { serveExports } from './serve-exports.ts'
export { serveLocks } from './serve-locks.ts'
