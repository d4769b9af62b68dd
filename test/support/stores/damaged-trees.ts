/**
 * Damages the trees of a database file so that a walk over them meets keys in a wrong order, or the same keys again, and gives the changed pages right
 * checksums: nothing but the order shows the damage. Layout: SQLite's "Database File Format", §1.6.
 */
import { writePageChecksum } from '../../../worker/sqlite/pages/page-checksum.ts'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'

export interface Tree {
  readonly name: string
  /** Number of the root page, from 1, as in all of this file. */
  readonly root: number
}

/** Changes the pages of a tree in `file`. Returns false if the tree is too small for this damage. */
export type Damage = (file: Uint8Array, tree: Tree) => boolean

/** The tables and indexes of a database, by their names. */
export function treesOf(file: Uint8Array): readonly Tree[] {
  return leavesOf(file, 1).flatMap((leaf) =>
    pointersOf(file, leaf).flatMap((at): readonly Tree[] => {
      const [, bytes] = varint(file, at)
      const [, more] = varint(file, at + bytes)
      const [type, name, , root] = recordAt(file, at + bytes + more)
      return (type === 'table' || type === 'index') && Number(root) > 0
        ? [{ name: String(name), root: Number(root) }]
        : []
    }),
  )
}

export const damages: Readonly<Record<string, Damage>> = {
  'keys of a page descend': (file, { root }) => {
    const leaf = leavesOf(file, root).find((page) => pointersOf(file, page).length > 1)
    if (leaf === undefined) return false
    reverse(file, leaf)
    return true
  },
  'children of a page descend': (file, { root }) => {
    const page = interiorOf(file, root).find((number) => pointersOf(file, number).length > 1)
    if (page === undefined) return false
    reverse(file, page)
    return true
  },
  'two pages are exchanged': (file, { root }) => {
    const leaves = leavesOf(file, root)
    const [first, last] = [leaves[0]!, leaves.at(-1)!]
    if (first === last || leaves.includes(1)) return false
    const kept = pageOf(file, first).slice()
    pageOf(file, first).set(pageOf(file, last))
    pageOf(file, last).set(kept)
    seal(file, first)
    seal(file, last)
    return true
  },
  'the last page is the first one again': (file, { root }) => {
    const page = interiorOf(file, root)[0]
    if (page === undefined) return false
    const [cell] = pointersOf(file, page)
    viewOf(file).setUint32(headOf(page) + 8, viewOf(file).getUint32(cell!))
    seal(file, page)
    return true
  },
  'all children are the first one': (file, { root }) => {
    const page = interiorOf(file, root)[0]
    if (page === undefined) return false
    const view = viewOf(file)
    const cells = pointersOf(file, page)
    for (const at of [...cells, headOf(page) + 8]) view.setUint32(at, view.getUint32(cells[0]!))
    seal(file, page)
    return true
  },
  'a page is its own child': (file, { root }) => {
    const page = interiorOf(file, root)[0]
    if (page === undefined) return false
    viewOf(file).setUint32(headOf(page) + 8, page)
    seal(file, page)
    return true
  },
}

/** Each level of the tree has many links to one page of the next level, so that a walk over all of it would take years. */
export function multiply(file: Uint8Array, { root }: Tree, levels = 8): boolean {
  const top = interiorOf(file, root)[0]
  const leaves = leavesOf(file, root)
  if (top === undefined || leaves.length <= levels) return false
  const view = viewOf(file)
  const chain = [top, ...leaves.slice(1, levels), leaves[0]!]
  for (const [i, page] of chain.slice(0, -1).entries()) {
    if (page !== top) pageOf(file, page).set(pageOf(file, top))
    for (const at of [...pointersOf(file, page), headOf(page) + 8]) view.setUint32(at, chain[i + 1]!)
    seal(file, page)
  }
  return true
}

/** The rest of a long row is a cycle of pages. */
export function endlessRow(file: Uint8Array, { root }: Tree): boolean {
  const view = viewOf(file)
  const usable = pageBytes - file[20]!
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  for (const leaf of leavesOf(file, root)) {
    for (const at of pointersOf(file, leaf)) {
      const [payload, first] = varint(file, at)
      const [, second] = varint(file, at + first)
      if (payload <= usable - 35) continue
      const fitting = least + ((payload - least) % (usable - 4))
      const local = fitting <= usable - 35 ? fitting : least
      const overflow = view.getUint32(at + first + second + local)
      view.setUint32((overflow - 1) * pageBytes, overflow)
      seal(file, overflow)
      return true
    }
  }
  return false
}

/** Makes the list of free pages a cycle that is as long as the header can say. */
export function endlessFreeList(file: Uint8Array): boolean {
  const view = viewOf(file)
  const trunk = view.getUint32(32)
  if (trunk === 0) return false
  view.setUint32((trunk - 1) * pageBytes, trunk)
  view.setUint32(36, 0x7fffffff)
  seal(file, trunk)
  seal(file, 1)
  return true
}

function reverse(file: Uint8Array, page: number): void {
  const view = viewOf(file)
  const start = headOf(page) + headBytes(file, page)
  const count = view.getUint16(headOf(page) + 3)
  const cells = Array.from({ length: count }, (_, i) => view.getUint16(start + 2 * i))
  for (const [i, cell] of cells.toReversed().entries()) view.setUint16(start + 2 * i, cell)
  seal(file, page)
}

/** Leaves in the order of the tree. */
function leavesOf(file: Uint8Array, page: number): readonly number[] {
  return isLeaf(file, page) ? [page] : childrenOf(file, page).flatMap((child) => leavesOf(file, child))
}

function interiorOf(file: Uint8Array, page: number): readonly number[] {
  return isLeaf(file, page) ? [] : [page, ...childrenOf(file, page).flatMap((child) => interiorOf(file, child))]
}

function childrenOf(file: Uint8Array, page: number): readonly number[] {
  const view = viewOf(file)
  return [...pointersOf(file, page), headOf(page) + 8].map((at) => view.getUint32(at))
}

/** Offsets of the cells of a page. */
function pointersOf(file: Uint8Array, page: number): readonly number[] {
  const view = viewOf(file)
  const start = headOf(page) + headBytes(file, page)
  return Array.from(
    { length: view.getUint16(headOf(page) + 3) },
    (_, i) => (page - 1) * pageBytes + view.getUint16(start + 2 * i),
  )
}

/** The values of a row, as numbers and texts. */
function recordAt(file: Uint8Array, at: number): readonly unknown[] {
  const [headLength, first] = varint(file, at)
  const values: unknown[] = []
  let from = at + headLength
  for (let type = at + first; type < at + headLength && values.length < 4; ) {
    const [kind, bytes] = varint(file, type)
    type += bytes
    const length = kind >= 12 ? (kind - 12) >> 1 : [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][kind]!
    const value = file.subarray(from, from + length)
    values.push(
      kind >= 12 ? new TextDecoder().decode(value) : kind === 9 ? 1 : value.reduce((sum, byte) => sum * 256 + byte, 0),
    )
    from += length
  }
  return values
}

function varint(file: Uint8Array, at: number): readonly [value: number, bytes: number] {
  let value = 0
  for (let bytes = 1; ; bytes++) {
    const byte = file[at + bytes - 1]!
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, bytes]
  }
}

function isLeaf(file: Uint8Array, page: number): boolean {
  return (file[headOf(page)]! & 8) !== 0
}

function headBytes(file: Uint8Array, page: number): number {
  return isLeaf(file, page) ? 8 : 12
}

/** Offset of the head of a tree's page. */
function headOf(page: number): number {
  return page === 1 ? 100 : (page - 1) * pageBytes
}

function pageOf(file: Uint8Array, page: number): Uint8Array {
  return file.subarray((page - 1) * pageBytes, page * pageBytes)
}

function seal(file: Uint8Array, page: number): void {
  writePageChecksum(pageOf(file, page), page - 1)
}

function viewOf(file: Uint8Array): DataView {
  return new DataView(file.buffer, file.byteOffset, file.byteLength)
}
