/** Reads the body of a response, decompressed, up to a limit. What follows is not received. */
import { joinBytes } from '../../core/collections/join-bytes.ts'
import { RecallError, recallError } from '../../core/model/errors.ts'
import { checkSize } from './limits.ts'

/** `what`: the subject of an error, for example `The answer to GET a`. Throws `STORAGE_UNAVAILABLE` if the body is larger, or ends too early. */
export async function readBody(response: Response, maxBytes: number, what: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return response.body == null
      ? await readWhole(response, maxBytes, what)
      : await readParts(response.body, maxBytes, what)
  } catch (error) {
    if (error instanceof RecallError) throw error
    throw recallError('STORAGE_UNAVAILABLE', `${what} ended too early`, {
      hint: 'Check the network. Call sync again later.',
    })
  }
}

/** As `readBody`, for text in UTF-8. */
export async function readText(response: Response, maxBytes: number, what: string): Promise<string> {
  return new TextDecoder().decode(await readBody(response, maxBytes, what))
}

async function readParts(body: ReadableStream<Uint8Array>, maxBytes: number, what: string) {
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      checkSize(what, size, maxBytes)
      parts.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  }
  return joinBytes(parts, size)
}

/** For a `fetch` of an app whose responses have no stream. */
async function readWhole(response: Response, maxBytes: number, what: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  checkSize(what, bytes.length, maxBytes)
  return bytes
}
