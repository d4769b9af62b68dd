/** Keeps the playground in the hash of its address, compressed, so that a link holds all of it and no server stores it. */

export interface Shared {
  readonly question: string
  readonly policy: string
  readonly records: string
}

/** Longer links are cut by some mail programs and chats. */
export const mostLinkLength = 8000

const start = '#p1.'

export async function toHash(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([shared.question, shared.policy, shared.records]))
  return start + toText(await through(bytes, new CompressionStream('deflate-raw')))
}

/** null: the hash holds no playground. Rejects if it does, but is damaged. */
export async function fromHash(hash: string): Promise<Shared | null> {
  if (!hash.startsWith(start)) return null
  const bytes = await through(toBytes(hash.slice(start.length)), new DecompressionStream('deflate-raw'))
  const parts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string'))
    throw new Error('The link holds no question, policy and records.')
  const [question, policy, records] = parts as [string, string, string]
  return { question, policy, records }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Blob([bytes]).stream().pipeThrough<Uint8Array<ArrayBuffer>>(stream)
  return new Uint8Array(await new Response(out).arrayBuffer())
}

/** Base64 with the letters that addresses leave as they are. */
function toText(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}
