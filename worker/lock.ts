/** The chunk with the ciphers of locked stores, which is loaded when a store is locked. Vite builds it into lock.js, in the worker's folder. */
export {
  changeLock,
  checkStoredLock,
  createKeyring,
  holdLocks,
  openKeyFile,
  serveExports,
  serveLocks,
  unlockBytes,
} from './engine/locked.ts'
