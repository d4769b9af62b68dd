/** Reads the body of a response up to a limit [E3]. What follows is not received: a server may send without end. */
import { joinBytes } from '../core/collections/join-bytes.ts'

/** Resolves to null if the body is larger than `most` bytes. */
export async function readResponse(response: Response, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  // Some replacements of `fetch` have no streams.
  if (response.body == null) {
    const bytes = new Uint8Array(await response.arrayBuffer())
    return bytes.length > most ? null : bytes
  }
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      reader.cancel().catch(() => undefined)
      return null
    }
    parts.push(value)
  }
  return joinBytes(parts, size)
}

/** Ends a response without reading its body, so that its connection is free. */
export function dropResponse({ body }: Response): void {
  body?.cancel().catch(() => undefined)
}
