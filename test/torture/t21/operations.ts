/** Draws a history: operations of processes on a store, and of a user on the files under it. Each is complete, so that a history without some of them can run, too. */
import type { Random } from '../t3/random.ts'

/** Names under which a file may be opened. */
export type Place = 'main' | 'moved' | 'folder' | 'copy' | 'link' | 'mount' | 'mounted file'

export type Exchange =
  | { readonly do: 'back up'; readonly as: number }
  | { readonly do: 'restore'; readonly from: number; readonly how: 'in place' | 'rename' | 'tar' | 'tar in place' }
  | { readonly do: 'delete'; readonly part: '' | '-wal' | '-revision' | '-open' }
  | { readonly do: 'replace'; readonly part: '-wal' | '-revision'; readonly from: number }
  | { readonly do: 'rename' | 'rename back' | 'copy all parts' | 'link' | 'unlink' }
  | { readonly do: 'delete folder' | 'rename folder' | 'rename folder back' }
  | { readonly do: 'mount' | 'mount file' }
  | { readonly do: 'git commit' | 'git checkout' | 'git clean' }

export type Write =
  | { readonly do: 'put'; readonly fresh: number; readonly over: number; readonly length: number }
  | { readonly do: 'patch'; readonly length: number }
  | { readonly do: 'forget'; readonly count: number }
  | { readonly do: 'compact' }

export type Operation = { readonly actor: number } & (
  | Exchange
  | Write
  | { readonly do: 'open'; readonly at: Place }
  | { readonly do: 'close' | 'reopen' | 'kill' | 'stop' | 'resume' | 'probe' }
  /** The write runs while the files change. */
  | { readonly do: 'write during'; readonly write: Write; readonly exchange: Exchange }
  | { readonly do: 'write, then'; readonly write: Write; readonly end: 'kill' | 'stop'; readonly afterMs: number }
)

export interface History {
  readonly seed: number
  readonly actors: number
  readonly operations: readonly Operation[]
  /** How processes end before the files are judged. */
  readonly ends: readonly ('close' | 'kill')[]
}

/** Begins with a store that has records, and often with a backup of it. */
export function drawHistory(seed: number, random: Random): History {
  const actors = random.between(2, 4)
  const operations: Operation[] = [
    { actor: 0, do: 'open', at: 'main' },
    { actor: 0, do: 'put', fresh: random.between(1, 60), over: 0, length: random.between(20, 1500) },
  ]
  if (random.chance(0.5))
    operations.push({ actor: 0, do: 'close' }, { actor: 0, do: 'back up', as: 0 }, { actor: 0, do: 'open', at: 'main' })
  const length = random.between(12, 34)
  // About which processes have a store open, so that most operations can be carried out.
  const open = new Set([0])
  /** Takes back what an exchange took away, some operations later. */
  const due: Exchange[] = []
  const exchange = (): Exchange => {
    const drawn = due.length > 0 && random.chance(0.4) ? due.shift()! : drawExchange(random)
    if (drawn.do === 'rename') due.push({ do: 'rename back' })
    if (drawn.do === 'rename folder') due.push({ do: 'rename folder back' })
    if (drawn.do === 'delete folder' || (drawn.do === 'delete' && drawn.part === ''))
      due.push({ do: 'restore', from: random.between(0, 1), how: 'rename' })
    return drawn
  }
  while (operations.length < length) {
    const roll = random.next()
    const closed = Array.from({ length: actors }, (_, i) => i).filter((i) => !open.has(i))
    const actor = [...open][random.between(0, open.size - 1)] ?? random.between(0, actors - 1)
    if (closed.length > 0 && (open.size === 0 || roll < 0.16)) {
      const opening = closed[random.between(0, closed.length - 1)]!
      open.add(opening)
      operations.push({ actor: opening, do: 'open', at: drawPlace(random) })
    } else if (roll < 0.52) operations.push({ actor, ...drawWrite(random) })
    else if (roll < 0.57) operations.push({ actor, do: 'reopen' })
    else if (roll < 0.62) {
      open.delete(actor)
      operations.push({ actor, do: random.chance(0.5) ? 'close' : 'kill' })
    } else if (roll < 0.65) operations.push({ actor, do: random.chance(0.35) ? 'stop' : 'resume' })
    else if (roll < 0.68) operations.push({ actor, do: 'probe' })
    else if (roll < 0.72) operations.push({ actor, do: 'write during', write: drawWrite(random), exchange: exchange() })
    else if (roll < 0.75) {
      const end = random.chance(0.8) ? 'kill' : 'stop'
      if (end === 'kill') open.delete(actor)
      operations.push({ actor, do: 'write, then', write: drawWrite(random), end, afterMs: random.between(0, 12) })
    } else operations.push({ actor, ...exchange() })
  }
  return {
    seed,
    actors,
    operations,
    ends: Array.from({ length: actors }, () => (random.chance(0.5) ? 'close' : 'kill')),
  }
}

function drawWrite(random: Random): Write {
  const roll = random.next()
  if (roll < 0.66) {
    const fresh = random.chance(0.2) ? random.between(20, 60) : random.between(1, 3)
    return { do: 'put', fresh, over: random.between(0, 2), length: random.between(5, random.chance(0.2) ? 4000 : 300) }
  }
  if (roll < 0.8) return { do: 'patch', length: random.between(5, 300) }
  if (roll < 0.94) return { do: 'forget', count: random.between(1, 12) }
  return { do: 'compact' }
}

function drawPlace(random: Random): Place {
  if (random.chance(0.72)) return 'main'
  return random.pick(['moved', 'folder', 'copy', 'link', 'mount', 'mounted file'])
}

function drawExchange(random: Random): Exchange {
  const k = random.between(0, 2)
  return random.pick<Exchange>([
    { do: 'back up', as: k },
    { do: 'back up', as: k },
    { do: 'restore', from: k, how: random.pick(['in place', 'rename', 'tar', 'tar in place']) },
    { do: 'restore', from: k, how: random.pick(['in place', 'rename']) },
    { do: 'delete', part: '' },
    { do: 'delete', part: '-open' },
    { do: 'delete', part: random.pick(['-wal', '-revision']) },
    { do: 'replace', part: random.pick(['-wal', '-revision']), from: k },
    { do: 'rename' },
    { do: 'rename back' },
    { do: 'copy all parts' },
    { do: random.pick(['link', 'unlink']) },
    { do: 'delete folder' },
    { do: 'rename folder' },
    { do: 'rename folder back' },
    { do: random.pick(['mount', 'mount file']) },
    { do: 'git commit' },
    { do: 'git checkout' },
    { do: 'git clean' },
  ])
}
