/** States of links as exports have them: in the block of the record with the greater id. */
import { type LinkState, newLink } from './links.ts'
import { type PortableStamp, portableStamp, stampFrom } from './portable-stamp.ts'
import { startClock } from './stamp.ts'

/** A weight without a stamp comes from a version that kept none. */
export interface PortableLink {
  /** The record with the smaller id. */
  readonly id: string
  /** As it was last set; 0: the link was removed. Absent: it was only strengthened. */
  readonly weight?: number
  readonly stamp?: PortableStamp
  /** What each device has added since. */
  readonly added?: readonly (readonly [sum: number, stamp: PortableStamp])[]
}

/** Before every stamp: of two weights that older versions wrote, the larger stays. */
const earliest = startClock('')

/** Lives are those of the records in the same export or store. */
export function linkStateFrom({ weight, stamp, added = [] }: Omit<PortableLink, 'id'>): LinkState {
  return {
    ...newLink([0, 0]),
    set: weight === undefined ? null : { weight, stamp: stamp === undefined ? earliest : stampFrom(stamp) },
    added: added.map(([sum, at]) => ({ sum, stamp: stampFrom(at) })),
  }
}

export function portableLink(id: string, { set, added }: Pick<LinkState, 'set' | 'added'>): PortableLink {
  const isEarliest = set?.stamp.at === earliest.at && set.stamp.device === ''
  return {
    id,
    ...(set === null ? {} : { weight: set.weight }),
    ...(set === null || isEarliest ? {} : { stamp: portableStamp(set.stamp) }),
    ...(added.length === 0 ? {} : { added: added.map(({ sum, stamp }) => [sum, portableStamp(stamp)] as const) }),
  }
}
