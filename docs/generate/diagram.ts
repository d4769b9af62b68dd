/**
 * Writes the diagram of docs/architecture.md from the imports: `npx tsx docs/generate/diagram.ts`. A room is a folder of `src` or `worker`;
 * it is above all rooms that it imports. An arrow that follows from other arrows is left out.
 * Types do not count: they run nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'

type Arrows = ReadonlyMap<string, ReadonlySet<string>>

const root = resolve(import.meta.dirname, '../..')
const page = join(root, 'docs/architecture.md')
const block = /```text\n[^]*?```/

export function diagramOf(arrows: Arrows): string {
  const floors = floorsOf(arrows)
  const rooms = [...arrows.keys()].toSorted((a, b) => floors.get(b)! - floors.get(a)! || (a < b ? -1 : 1))
  const width = Math.max(...rooms.map((room) => room.length))
  const lines = rooms.map((room, i) => {
    const floor = floors.get(room)!
    const isFirst = i === 0 || floors.get(rooms[i - 1]!) !== floor
    const below = [...reduced(room, arrows)].toSorted()
    const targets = below.length === 0 ? '' : ` ─▶ ${below.join(' · ')}`
    return `${(isFirst ? String(floor) : '').padStart(2)} ${room.padEnd(width)}${targets}`.trimEnd()
  })
  return ['```text', ...lines, '```'].join('\n')
}

/** Of each room, the rooms that its files import. */
export function readArrows(): Arrows {
  const arrows = new Map<string, Set<string>>()
  for (const path of ['src', 'worker'].flatMap(filesBelow)) {
    const own = roomOf(path)
    if (!arrows.has(own)) arrows.set(own, new Set())
    for (const [, target = ''] of readFileSync(join(root, path), 'utf8').matchAll(importing)) {
      const imported = roomOf(normalize(join(dirname(path), target)))
      if (imported !== own) arrows.get(own)!.add(imported)
    }
  }
  return new Map([...arrows].map(([room, targets]) => [room, new Set([...targets].filter((to) => arrows.has(to)))]))
}

export function diagramIn(markdown: string): string {
  return block.exec(markdown)?.[0] ?? ''
}

/** Rooms that nothing else leads to. */
function reduced(room: string, arrows: Arrows): ReadonlySet<string> {
  const direct = [...arrows.get(room)!]
  const indirect = new Set(direct.flatMap((to) => [...reachedFrom(to, arrows)]))
  return new Set(direct.filter((to) => !indirect.has(to)))
}

function reachedFrom(room: string, arrows: Arrows): ReadonlySet<string> {
  const reached = new Set<string>()
  const queue = [...arrows.get(room)!]
  for (const to of queue) {
    if (reached.has(to)) continue
    reached.add(to)
    queue.push(...arrows.get(to)!)
  }
  return reached
}

/** 1 for a room without imports, else one more than the highest room that it imports. */
function floorsOf(arrows: Arrows): ReadonlyMap<string, number> {
  const floors = new Map<string, number>()
  const floorOf = (room: string, above: readonly string[]): number => {
    if (above.includes(room)) throw new Error(`A circle of imports: ${[...above, room].join(' → ')}`)
    const known = floors.get(room)
    if (known !== undefined) return known
    const floor = 1 + Math.max(0, ...[...arrows.get(room)!].map((to) => floorOf(to, [...above, room])))
    floors.set(room, floor)
    return floor
  }
  for (const room of arrows.keys()) floorOf(room, [])
  return floors
}

const importing = /(?:^(?:import|export)\s+(?!type\b)[^'"`;]*?(?:from\s+)?|\bimport\(\s*)['"](\.[^'"]+)['"]/gm

/** A folder of `src` or `worker`; files next to these folders are rooms of their own. */
const roomOf = (path: string) => path.split('/').slice(0, 2).join('/')

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && !path.startsWith('worker/kernel/assembly/'))

if (process.argv[1]?.endsWith('generate/diagram.ts')) {
  const before = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    before.replace(block, () => diagramOf(readArrows())),
  )
}
