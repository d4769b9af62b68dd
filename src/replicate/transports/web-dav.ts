/** Blobs on a WebDAV server (RFC 4918): one collection, entity tags, conditional PUT (RFC 9110). */
import { recallError } from '../../core/model/errors.ts'
import { maxListBytes, noLimits } from './limits.ts'
import { readBody, readText } from './read-body.ts'
import { isSame } from './same-bytes.ts'
import type { Etag, RequestLimits, Transport } from './transport.ts'

export interface WebDavOptions {
  /** Sent with each request, for instance `Authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: the platform's. */
  readonly fetch?: typeof fetch | undefined
}

/** `url`: an existing collection that only this store uses. The server must give entity tags, and must honour `If-Match`. */
export function webDavTransport(
  url: string | URL,
  { headers = {}, fetch = globalThis.fetch }: WebDavOptions = {},
): Transport {
  const base = `${String(url).replace(/\/+$/, '')}/`
  const ask = async (
    { signal }: RequestLimits,
    [method, name]: readonly [method: string, name: string],
    more: Readonly<Record<string, string>> = {},
    body?: BodyInit,
  ) => {
    // Not a header of its own, which a server of another origin would have to allow.
    const init: RequestInit = { method, headers: { ...headers, ...more }, cache: 'no-store', signal }
    try {
      return await fetch(base + name, body === undefined ? init : { ...init, body })
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof TypeError ? await withoutAnswer(base, method, fetch, signal) : error
    }
  }
  const get = async (name: string, limits: RequestLimits = noLimits) => {
    const response = await ask(limits, ['GET', name])
    if (response.status === 404) return null
    if (!response.ok) throw refused('GET', name, response)
    const etag = etagOf(response)
    if (etag === null) throw withoutEtag(name)
    return { bytes: await readBody(response, limits.maxBytes, `The answer of the WebDAV server to GET ${name}`), etag }
  }
  return {
    get,
    async list(limits = noLimits) {
      const type = { Depth: '1', 'Content-Type': 'application/xml' }
      const response = await ask(limits, ['PROPFIND', ''], type, propfind)
      if (response.status !== 207) throw refused('PROPFIND', '', response)
      return etagsIn(await readText(response, maxListBytes, 'The answer of the WebDAV server to PROPFIND'))
    },
    async put(name, bytes, ifMatch, limits = noLimits) {
      const condition: Record<string, string> =
        ifMatch === undefined ? { 'If-None-Match': '*' } : { 'If-Match': String(ifMatch) }
      let response = await ask(limits, ['PUT', name], condition, bytes)
      if (response.status === 412 && ifMatch !== undefined && (await isWeakNow(ask(limits, ['HEAD', name]), ifMatch))) {
        await new Promise((resolve) => setTimeout(resolve, weakMs))
        response = await ask(limits, ['PUT', name], condition, bytes)
      }
      if (response.status === 412) return null
      if (!response.ok) throw refused('PUT', name, response)
      return etagOf(response) ?? (await etagAfter(bytes, get(name, limits)))
    },
  }
}

/** Apache gives weak tags in the second of a write, and lets no condition match them (RFC 9110, section 13.1.1). */
const weakMs = 1_100

async function isWeakNow(asked: Promise<Response>, etag: Etag): Promise<boolean> {
  const response = await asked
  return (response.headers.get('ETag')?.startsWith('W/') ?? false) && etagOf(response) === etag
}

/** The strong form, so that a tag does not change when it becomes strong. */
function etagOf({ headers }: Pick<Response, 'headers'>): string | null {
  return strong(headers.get('ETag'))
}

function strong(etag: string | null): string | null {
  return etag?.replace(/^W\//, '') ?? null
}

/** Some servers do not send the tag of the written blob. */
async function etagAfter(bytes: Uint8Array, read: ReturnType<Transport['get']>): Promise<Etag | null> {
  const stored = await read
  return stored != null && isSame(stored.bytes, bytes) ? stored.etag : null
}

const propfind = '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><getetag/></prop></propfind>'

/** Names and entity tags in a multistatus answer. Workers have no XML parser; the elements needed hold plain text. */
function etagsIn(xml: string): ReadonlyMap<string, string> {
  const etags = new Map<string, string>()
  for (const response of xml.split(/<(?:[\w.-]+:)?response[\s>]/).slice(1)) {
    const href = textOf(response, 'href')
    const etag = textOf(response, 'getetag')
    const name = href?.split('/').at(-1)
    // A name of a blob is never escaped, so a name that cannot be decoded is another file.
    if (name && etag) etags.set(decoded(name) ?? name, strong(etag.replaceAll('&quot;', '"').replaceAll('&#34;', '"'))!)
  }
  return etags
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}

function textOf(xml: string, element: string): string | undefined {
  return new RegExp(`<(?:[\\w.-]+:)?${element}(?:\\s[^>]*)?>([^<]*)<`).exec(xml)?.[1]?.trim()
}

/** A browser does not say why a request failed. If a request without CORS is answered, the server is there and refuses this page. */
async function withoutAnswer(url: string, method: string, ask: typeof fetch, signal: AbortSignal) {
  const page = globalThis.location?.origin
  const isForeign = page !== undefined && new URL(url, location.href).origin !== page
  const isThere =
    isForeign &&
    (await ask(url, { mode: 'no-cors', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    ))
  return isThere
    ? recallError('STORAGE_UNAVAILABLE', `The WebDAV server does not allow ${method} from ${page}`, {
        hint: `At the server, allow (CORS) the origin ${page}, the methods PROPFIND and PUT and the headers ${allowed}; expose ETag.`,
      })
    : recallError('STORAGE_UNAVAILABLE', 'The WebDAV server cannot be reached', {
        hint: 'Check the URL, the network, and that the server runs.',
      })
}

const allowed = 'Authorization, Content-Type, Depth, If-Match, If-None-Match'

function refused(method: string, name: string, { status }: Response) {
  return recallError('STORAGE_UNAVAILABLE', `The WebDAV server answered ${method} ${name} with status ${status}`, {
    hint: 'Check the URL, the credentials in headers, and that the collection exists.',
  })
}

function withoutEtag(name: string) {
  return recallError('STORAGE_UNAVAILABLE', `The WebDAV server sent no ETag for ${name}`, {
    hint: 'Use a server that gives entity tags. For other origins, it must expose the header ETag.',
  })
}
