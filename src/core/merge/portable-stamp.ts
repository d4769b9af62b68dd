/** Stamps as exports and rows have them. */
import type { Stamp } from './stamp.ts'

/** Time, count, device. */
export type PortableStamp = readonly [at: number, count: number, device: string]

export function portableStamp({ at, count, device }: Stamp): PortableStamp {
  return [at, count, device]
}

export function stampFrom([at, count, device]: PortableStamp): Stamp {
  return { at, count, device }
}

/** The stamp of something that an older version wrote at this time (ms). */
export function unstamped(at: number, count = 0): Stamp {
  return { at: Math.floor(at), count, device: '' }
}
