/** The content of files of the fake OPFS: what is written, what is on the disk, and what a loss of power keeps. */
import type { Random } from './random.ts'

const sectorBytes = 512

type Change =
  | { readonly order: number; readonly kind: 'write'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly order: number; readonly kind: 'resize'; readonly size: number }

export interface FakeFile {
  /** The bytes a read sees. */
  seen: Content
  /** The bytes that are certainly on the disk. */
  durable: Content
  /** Changes since the last flush. */
  pending: Change[]
  isHeld: boolean
  /** Whether its name is certainly on the disk. */
  isNamed: boolean
  /** The file whose name it took; it has the name again if the folder was not synced when the power failed. */
  readonly replaces?: FakeFile
}

export interface FakeFolder {
  readonly children: Map<string, FakeFile | FakeFolder>
}

export function filesIn(folder: FakeFolder, path: string): readonly (readonly [string, FakeFile])[] {
  return [...folder.children].flatMap(([name, node]) =>
    isFolder(node) ? filesIn(node, `${path}/${name}`) : [[`${path}/${name}`, node] as const],
  )
}

export function everyFile(folder: FakeFolder): FakeFile[] {
  return [...folder.children.values()].flatMap((node) => (isFolder(node) ? everyFile(node) : [node]))
}

type Keep = (file: FakeFile, change: Change) => void

/** Each sector of each change is on disk or not, whatever came before; one loss is mild, another harsh. */
export function sectorsAtRandom(random: Random): Keep {
  const survival = random.pick([0, 0.05, 0.3, 0.5, 0.7, 0.95, 1])
  return ({ durable }, change) => {
    if (change.kind === 'resize') {
      if (random.chance(survival)) apply(durable, change)
      return
    }
    for (const sector of sectorsOf(change)) if (random.chance(survival)) durable.write(sector.bytes, sector.at)
  }
}

/**
 * Changes reach the disk in their order and stop somewhere, possibly inside a write: either one point in time for the
 * whole disk, or one for each file.
 */
export function orderedPrefix(random: Random, files: readonly FakeFile[]): Keep {
  const orders = files.flatMap(({ pending }) => pending.map((change) => change.order))
  const cut = () => random.between(Math.min(...orders), Math.max(...orders) + 1)
  const isCommon = random.chance(0.5)
  const commonCut = orders.length > 0 ? cut() : 0
  const cuts = new Map(files.map((file) => [file, isCommon ? commonCut : orders.length > 0 ? cut() : 0]))
  return (file, change) => {
    const stop = cuts.get(file) ?? 0
    if (change.order < stop) apply(file.durable, change)
    else if (change.order === stop && change.kind === 'write') {
      const sectors = sectorsOf(change)
      for (const sector of sectors.slice(0, random.between(0, sectors.length)))
        file.durable.write(sector.bytes, sector.at)
    }
  }
}

/** A server's names: of those created or removed since it synced the folder, each is on disk or not. */
export function loseNames(root: FakeFolder, removed: Map<string, FakeFile>, random: Random): void {
  for (const [path, file] of filesIn(root, '')) {
    if (!file.isNamed && random.chance(0.5)) {
      // A file that was renamed over another leaves the other one.
      if (file.replaces === undefined) root.children.delete(path.slice(1))
      else root.children.set(path.slice(1), file.replaces)
    }
    file.isNamed = true
  }
  for (const [path, file] of removed) if (!root.children.has(path) && random.chance(0.5)) root.children.set(path, file)
  removed.clear()
}

function sectorsOf({ at, bytes }: Change & { readonly kind: 'write' }): readonly { at: number; bytes: Uint8Array }[] {
  const sectors: { at: number; bytes: Uint8Array }[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + sectorBytes - ((at + from) % sectorBytes))
    sectors.push({ at: at + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return sectors
}

/** The pool also passes 32-bit views. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export function apply(content: Content, change: Change): void {
  if (change.kind === 'resize') content.resize(change.size)
  else content.write(change.bytes, change.at)
}

interface Content {
  readonly size: number
  read(target: Uint8Array, at: number): number
  /** Grows as needed; a gap reads as zeros. */
  write(source: Uint8Array, at: number): void
  resize(size: number): void
  copy(): Uint8Array<ArrayBuffer>
}

export function createContent(initial: Uint8Array<ArrayBuffer>): Content {
  let bytes = initial
  let size = initial.length
  const resize = (wanted: number) => {
    if (wanted > bytes.length) {
      const larger = new Uint8Array(Math.max(wanted, 2 * bytes.length, 8192))
      larger.set(bytes.subarray(0, size))
      bytes = larger
    } else if (wanted < size) bytes.fill(0, wanted, size)
    size = wanted
  }
  return {
    get size() {
      return size
    },
    read(target, at) {
      const part = bytes.subarray(Math.min(at, size), Math.min(size, at + target.length))
      target.set(part)
      return part.length
    },
    write(source, at) {
      if (at + source.length > size) resize(at + source.length)
      bytes.set(source, at)
    },
    resize,
    copy: () => bytes.slice(0, size),
  }
}

export function copyOf(folder: FakeFolder): FakeFolder {
  const children = new Map<string, FakeFile | FakeFolder>()
  for (const [name, node] of folder.children) {
    if (isFolder(node)) children.set(name, copyOf(node))
    else children.set(name, { ...newFile(), seen: copyOfContent(node), durable: copyOfContent(node) })
  }
  return { children }
}

function copyOfContent({ seen }: FakeFile): Content {
  return createContent(seen.copy())
}

export function newFile(): FakeFile {
  return {
    seen: createContent(new Uint8Array(0)),
    durable: createContent(new Uint8Array(0)),
    pending: [],
    isHeld: false,
    isNamed: true,
  }
}

export function isFolder(node: FakeFile | FakeFolder): node is FakeFolder {
  return 'children' in node
}

export function isFile(node: FakeFile | FakeFolder): node is FakeFile {
  return !isFolder(node)
}
