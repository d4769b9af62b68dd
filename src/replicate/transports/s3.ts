/**
 * Blobs in a bucket of S3 or of a service with its interface (R2, MinIO and others), with conditional writes. The app signs requests with a
 * library, for example aws4fetch.
 */
import { recallError } from '../../core/model/errors.ts'
import { checkSize, maxListBytes, noLimits } from './limits.ts'
import { readBody, readText } from './read-body.ts'
import { isSame } from './same-bytes.ts'
import type { RequestLimits, Transport } from './transport.ts'

export interface S3Options {
  /** Signs a request and sends it: with aws4fetch, `(url, init) => client.fetch(url, init)` of an `AwsClient`. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** The part of the bucket that only this store uses, for example `notes`. Default: the whole bucket. */
  readonly folder?: string | undefined
}

/**
 * `url`: the bucket, for example `https://my-bucket.s3.eu-central-1.amazonaws.com` or `https://storage.example/my-bucket`. The service must
 * honour `If-Match` and `If-None-Match` at writes. Throws `INVALID_CONFIG` for wrong options.
 */
export function s3Transport(url: string | URL, { fetch, folder = '' }: S3Options): Transport {
  const bucket = bucketUrl(url)
  if (typeof fetch !== 'function') throw invalid('fetch', fetch, 'must be a function that signs requests')
  if (typeof folder !== 'string') throw invalid('folder', folder, 'must be text')
  const prefix = folder.replace(/^\/+|\/+$/g, '') && `${folder.replace(/^\/+|\/+$/g, '')}/`
  const send = async (address: string, { signal }: RequestLimits, init: RequestInit) => {
    try {
      return await fetch(address, { ...init, signal })
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof TypeError ? withoutAnswer() : error
    }
  }
  const ask = (name: string, limits: RequestLimits, init: RequestInit) =>
    send(bucket + encodeURI(prefix) + name, limits, init)
  const get = async (name: string, limits: RequestLimits = noLimits) => {
    const response = await ask(name, limits, { method: 'GET', cache: 'no-store' })
    if (response.status === 404) return null
    if (!response.ok) throw refused('GET', name, response)
    const etag = etagOf(response, name)
    return { bytes: await readBody(response, limits.maxBytes, `The answer of the bucket to GET ${name}`), etag }
  }
  return {
    get,
    async list(limits = noLimits) {
      const etags = new Map<string, string>()
      let next: string | undefined
      let read = 0
      do {
        const query = new URLSearchParams({ 'list-type': '2', delimiter: '/', prefix })
        if (next !== undefined) query.set('continuation-token', next)
        const response = await send(`${bucket}?${query}`, limits, { method: 'GET', cache: 'no-store' })
        if (!response.ok) throw refused('GET', 'of the list', response)
        const xml = await readText(response, maxListBytes, listed)
        // Each page counts with its question, so that pages without a content end, too.
        checkSize(listed, (read += xml.length + pageBytes), maxListBytes)
        for (const [name, etag] of etagsIn(xml)) etags.set(name, etag)
        next = textOf(xml, 'NextContinuationToken')
      } while (next !== undefined)
      return etags
    },
    async put(name, bytes, ifMatch, limits = noLimits) {
      const headers: Record<string, string> =
        ifMatch === undefined ? { 'If-None-Match': '*' } : { 'If-Match': String(ifMatch) }
      const response = await ask(name, limits, { method: 'PUT', headers, body: bytes })
      // S3 answers 409 while another write of the key runs, and 404 if the version that must match was deleted.
      if (response.status === 412 || response.status === 409) return null
      if (response.status === 404 && ifMatch !== undefined) return null
      if (!response.ok) throw refused('PUT', name, response)
      const etag = response.headers.get('ETag')
      if (etag !== null) return etag
      const stored = await get(name, limits)
      return stored !== null && isSame(stored.bytes, bytes) ? stored.etag : null
    },
  }
}

const listed = 'The list of the bucket'
const pageBytes = 1_024

function bucketUrl(url: unknown): string {
  const text = String(url)
  if (!URL.canParse(text) || !/^https?:/.test(text) || /[?#]/.test(text))
    throw invalid('url', url, 'must be the address of a bucket, without a query')
  return `${text.replace(/\/+$/, '')}/`
}

function etagOf({ headers }: Response, name: string): string {
  const etag = headers.get('ETag')
  if (etag !== null) return etag
  throw recallError('STORAGE_UNAVAILABLE', `The bucket sent no ETag for ${name}`, {
    hint: 'For a page, the CORS rules of the bucket must expose the header ETag.',
  })
}

/** Workers have no XML parser; names of blobs and entity tags are plain text. */
function* etagsIn(xml: string): Generator<readonly [name: string, etag: string]> {
  for (const item of xml.split(/<Contents[\s>]/).slice(1)) {
    const name = textOf(item, 'Key')?.split('/').at(-1)
    const etag = textOf(item, 'ETag')
    if (name && etag) yield [name, etag.replaceAll('&quot;', '"').replaceAll('&#34;', '"')]
  }
}

function textOf(xml: string, element: string): string | undefined {
  return new RegExp(`<${element}(?:\\s[^>]*)?>([^<]+)<`).exec(xml)?.[1]
}

function withoutAnswer() {
  return recallError('STORAGE_UNAVAILABLE', 'The bucket cannot be reached', {
    hint: 'Check the address, the network, and for a page the CORS rules of the bucket.',
  })
}

function refused(method: string, name: string, { status }: Response) {
  return recallError('STORAGE_UNAVAILABLE', `The bucket answered ${method} ${name} with status ${status}`, {
    hint: 'Check the address, the credentials, the region and the CORS rules of the bucket.',
  })
}

function invalid(field: string, value: unknown, problem: string) {
  return recallError('INVALID_CONFIG', problem, { field, value, hint: 'See S3Options.' })
}
