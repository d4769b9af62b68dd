/**
 * A process that writes to a store in a file until it is killed. Arguments: path, prefix of the ids, mode of `storm.ts`. Each line of its output is
 * written before the next call: `role leader`, `trying <fact>`, then `<fact>` once the call is acknowledged, `twice <id>` or `error <text>`. Facts
 * are `put <id>`, `strengthened <id> <id>` and `forgotten <id>`.
 */
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import { openRecall, RecallError } from '../../../src/index.ts'
import { addedWeight, lateMs } from './weights.ts'

const [path = '', prefix = '', mode = 'shipped'] = process.argv.slice(2)
const say = (line: string) => writeSync(1, `${line}\n`)

/** False if a busy machine does not answer the call before its deadline: it stays `trying` and may be done or not. */
async function act(fact: string, call: () => Promise<unknown>): Promise<boolean> {
  // This control reports a write before it is done.
  say(mode === 'early' ? fact : `trying ${fact}`)
  try {
    await call()
  } catch (error) {
    if (error instanceof RecallError && error.code === 'DEADLINE_EXCEEDED') return false
    throw error
  }
  if (mode !== 'early') say(fact)
  return true
}

/**
 * Answers to other processes are late, so that kills often come between a commit and its answer. In the other control, calls of other processes
 * lose their operation id. Each write to a socket is one frame of `worker/node/connection.ts`.
 */
function changeMessages(): void {
  const write = Socket.prototype.write as (this: Socket, frame: Buffer) => boolean
  const changed = function (this: Socket, frame: Buffer): boolean {
    const post = deserialize(frame.subarray(4)) as { readonly data?: Uint8Array }
    const wrapped = post.data === undefined ? {} : (deserialize(post.data) as Wrapped)
    if (wrapped.message?.type === 'call' && mode === 'anonymous') {
      const message = { ...wrapped.message, context: { now: Date.now() } }
      const body = serialize({ ...post, data: serialize({ ...wrapped, message }) })
      const head = Buffer.alloc(4)
      head.writeUInt32LE(body.length)
      return write.call(this, Buffer.concat([head, body]))
    }
    if (wrapped.message?.type !== 'answer') return write.call(this, frame)
    setTimeout(() => this.writable && write.call(this, frame), lateMs)
    return true
  }
  Socket.prototype.write = changed as typeof Socket.prototype.write
}

interface Wrapped {
  readonly message?: { readonly type: string }
}

changeMessages()
try {
  const recall = await openRecall({ path, embedder: null })
  recall.subscribe((event) => {
    if (event.type === 'leader-changed') say(`role ${event.role}`)
  })
  say(`role ${(await recall.status()).role}`)
  for (let i = 0; ; i++) {
    const id = `${prefix}-${i}`
    const isStored = await act(`put ${id}`, async () => {
      const { records } = await recall.put([{ id, body: `Note ${i} of ${prefix}: ${'acorn '.repeat(i % 40)}` }])
      // A put that was done twice would be `unchanged` the second time.
      if (records[0]!.outcome !== 'inserted') say(`twice ${id}`)
    })
    // The next group of four needs no record of this one.
    if (!isStored) i += 3 - (i % 4)
    if (!isStored) continue
    const last = `${prefix}-${i - 1}`
    if (i % 4 > 0) await act(`strengthened ${id} ${last}`, () => recall.strengthen(id, last, addedWeight))
    if (i % 4 < 3) continue
    const old = `${prefix}-${i - 3}`
    await act(`forgotten ${old}`, () => recall.forget(old))
  }
} catch (error) {
  say(`error ${String(error)}`)
}
