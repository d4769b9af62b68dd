/** Passes on lines of limited length: a client that sends no line end would otherwise fill the memory. */
import { Transform } from 'node:stream'

/** Bytes of one message. */
export const mostLineBytes = 16 * 1024 * 1024

/**
 * A stream of the lines. A line that is too long is dropped up to its end, and `refuse` is called once for it. More is read when `ready`
 * resolves.
 */
export function limitLines(
  refuse: () => void,
  most: number = mostLineBytes,
  ready: () => Promise<void> | null = () => null,
): Transform {
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      while (from < chunk.length) {
        const end = chunk.indexOf(lineEnd, from)
        const to = end === -1 ? chunk.length : end + 1
        const isFirstTooLong = length <= most && length + to - from > most
        length += to - from
        // Ends what was passed on of it, which is then no message.
        if (isFirstTooLong) {
          this.push(Buffer.from('\n'))
          refuse()
        }
        if (length <= most) this.push(chunk.subarray(from, to))
        if (end !== -1) length = 0
        from = to
      }
      const waiting = ready()
      if (waiting === null) done()
      else void waiting.then(() => done())
    },
  })
}

const lineEnd = 0x0a
