/** Messages between two processes over a local socket: values of the structured clone algorithm, each with its length in front. */
import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

export interface Connection {
  send(message: unknown): void
  /** Sets the one listener; it also gets the messages that came before. */
  listen(listener: (message: unknown) => void): void
  /** Resolves when the other process ended, or either side closed. All its messages have been delivered then. */
  readonly closed: Promise<void>
  /** Sends what waits, then closes. Resolves like `closed`. */
  end(): Promise<void>
}

/** The socket does not keep the process alive: a caller that waits for an answer has a deadline, whose timer does. */
export function connectionOver(socket: Socket): Connection {
  let listener: ((message: unknown) => void) | undefined
  const early: unknown[] = []
  const receive = (message: unknown) => {
    if (listener === undefined) early.push(message)
    else listener(message)
  }
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.unref()
  // `close` follows every error, so the error needs no handling of its own.
  socket.on('error', () => undefined)
  const read = createFrameReader(receive)
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      // Another program wrote to the socket.
      socket.destroy()
    }
  })
  return {
    send(message) {
      if (socket.writable) socket.write(frameOf(message))
    },
    listen(next) {
      listener = next
      for (const message of early.splice(0)) next(message)
    },
    closed,
    async end() {
      socket.end()
      // The other side may be stopped and never close.
      const timer = setTimeout(() => socket.destroy(), longestEndMs)
      await closed
      clearTimeout(timer)
    },
  }
}

const longestEndMs = 1_000

const headBytes = 4

function frameOf(message: unknown): Buffer {
  const body = serialize(message)
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Collects chunks until a frame is complete. Each frame is copied once. */
function createFrameReader(receive: (message: unknown) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let held = 0
  const take = (length: number): Buffer => {
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    chunks = all.length > length ? [all.subarray(length)] : []
    held -= length
    return all.subarray(0, length)
  }
  let expected: number | null = null
  return (chunk) => {
    chunks.push(chunk)
    held += chunk.length
    for (;;) {
      if (expected === null) {
        if (held < headBytes) return
        expected = take(headBytes).readUInt32LE(0)
      }
      if (held < expected) return
      // A copy: typed arrays of the message are views of these bytes.
      const body = Buffer.from(new Uint8Array(take(expected)).buffer)
      expected = null
      receive(deserialize(body))
    }
  }
}
