/** Computes the name under which a forgotten record or path is remembered: a hash, so that the tombstone does not contain the name. */
import { sha256Hex } from '../text/hash/sha256.ts'

/**
 * 32 hex digits (128 bits of SHA-256). Equal on every device, because a tombstone must find the record there. The hash hides an id
 * only from readers who cannot guess it.
 */
export function tombstoneMark(id: string): string {
  return sha256Hex('scrubjay tombstone\n', id).slice(0, 32)
}

/** The same for the path of a file whose state was removed. */
export function fileMark(path: string): string {
  return sha256Hex('scrubjay file\n', path).slice(0, 32)
}
