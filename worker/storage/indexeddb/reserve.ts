/**
 * Reserves space for deletions on a full disk [P3], as one meaningless value in the byte store. When the quota is used up, a browser
 * refuses every write, but never a removal. So a deletion first removes this value. Any other write restores it. A file of up to 8 MiB
 * may have no generation that could be rewritten in place, so a deletion needs space for a complete one.
 */
import { createFilling } from '../common/filling.ts'
import type { Put } from './log-format.ts'

const prefix = 'reserve/'

/** The key contains the size, because reading the value at each opening would take time. */
export const isReserveKey = (key: string) => key.startsWith(prefix)
export const reserveBytesOf = (key: string) => Number(key.slice(prefix.length))

export function encodeReserve(bytes: number): Put {
  return [`${prefix}${bytes}`, createFilling(bytes)]
}
