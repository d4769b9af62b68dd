/**
 * The ciphers of locked stores. `load-lock.ts` loads them when a store is locked. Vite builds them into lock.js, in the worker's folder.
 */
export { createKeys, openKeys } from './lock/locks.ts'
