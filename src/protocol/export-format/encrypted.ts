/** How an encrypted export begins: where a plain one has its version, so that builds that know only plain ones say that it is newer. */

/** `LOCK`, as a little-endian number. */
export const encryptedVersion = 0x4b434f4c

/** `SCRUBJAYLOCK`. */
export const encryptedMagic: Uint8Array = new TextEncoder().encode('SCRUBJAYLOCK')

export function isEncrypted(bytes: Uint8Array): boolean {
  return encryptedMagic.every((byte, i) => bytes[i] === byte)
}
