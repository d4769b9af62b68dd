/** Shared rows in memory, as PostgreSQL keeps them: for lives of several nodes, with a transport that can fail. */
import type { BlockRow, BlockStore, Pulled } from '../../../src/protocol/blocks.ts'

export interface MemoryBlocks extends BlockStore {
  readonly rows: Map<string, BlockRow & { readonly revision: number }>
  /** Returns a function that restores the rows as they are now. */
  backUp(): () => void
}

export function memoryBlocks(): MemoryBlocks {
  let head: Pick<Pulled, 'revision' | 'settings'> = { revision: 0, settings: null }
  const rows: MemoryBlocks['rows'] = new Map()
  let isAwaited = false
  return {
    rows,
    head: async () => head,
    backUp() {
      const [oldHead, oldRows] = [head, [...rows]]
      return () => {
        head = oldHead
        rows.clear()
        for (const [name, row] of oldRows) rows.set(name, row)
      }
    },
    async pull(after, keys = []) {
      const asked = new Set(keys.map(({ kind, id }) => `${kind} ${id}`))
      return {
        ...head,
        rows: [...rows].filter(([name, row]) => row.revision > after || asked.has(name)).map(([, row]) => row),
      }
    },
    async ship({ from, to, settings, rows: written }) {
      if (head.revision !== from) {
        isAwaited = true
        return 'lost'
      }
      head = { revision: to, settings }
      for (const row of written)
        rows.set(`${row.kind} ${row.id}`, { ...row, frames: row.frames?.slice() ?? null, revision: to })
      const outcome = isAwaited ? 'awaited' : 'written'
      isAwaited = false
      return outcome
    },
    async remove() {
      head = { revision: 0, settings: null }
      rows.clear()
    },
  }
}

/** Loses answers, repeats and delays writes, as a network between node and database can. */
export function unreliable(blocks: BlockStore, random: { below(limit: number): number }, oneIn = 6): BlockStore {
  const late: Promise<unknown>[] = []
  return {
    ...blocks,
    async ship(changes) {
      const fault = random.below(oneIn)
      if (fault === 0) throw new Error('cut before it arrived')
      if (fault === 1) {
        await blocks.ship(changes)
        throw new Error('cut before the answer')
      }
      if (fault === 2) {
        const answer = await blocks.ship(changes)
        await blocks.ship(changes)
        return answer
      }
      if (fault === 3) {
        // It arrives after the node has given up, and maybe after others wrote.
        late.push(Promise.resolve().then(() => blocks.ship(changes)))
        throw new Error('late')
      }
      await Promise.all(late.splice(0))
      return blocks.ship(changes)
    },
    async pull(after, keys) {
      if (random.below(3 * oneIn) === 0) throw new Error('pull was cut')
      return blocks.pull(after, keys)
    },
  }
}
