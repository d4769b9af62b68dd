/** Tests `s3Transport` with aws4fetch against s3rver, behind a proxy that enforces the conditions of writes. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRecall } from '../../../src/index.ts'
import { replicate, s3Transport } from '../../../src/replicate/index.ts'
import { type ConditionalBucket, credentials, openConditionalBucket } from '../../support/data/conditional-bucket.ts'

let bucket: ConditionalBucket

beforeAll(async () => {
  bucket = await openConditionalBucket()
})

afterAll(() => bucket.close())

const client = new AwsClient({ ...credentials, retries: 0 })
const signed = (url: string, init: RequestInit) => client.fetch(url, init)
const blobsIn = (folder: string, url = bucket.url) => s3Transport(url, { fetch: signed, folder })
const bytesOf = (text: string) => new TextEncoder().encode(text)

test('reads, lists and writes blobs, each write only over the version that was read', async () => {
  const blobs = blobsIn('/some notes/')
  expect(await blobs.get('s1-64-00')).toBe(null)
  expect([...(await blobs.list())]).toEqual([])
  const first = await blobs.put('s1-64-00', bytesOf('one'), undefined)
  expect(first).toBeTruthy()
  expect(await blobs.put('s1-64-00', bytesOf('other'), undefined)).toBe(null)
  expect([...(await blobs.list())]).toEqual([['s1-64-00', first]])
  const second = await blobs.put('s1-64-00', bytesOf('second'), first!)
  expect(second).not.toBe(first)
  expect(await blobs.put('s1-64-00', bytesOf('third'), first!)).toBe(null)
  expect(await blobs.put('s1-64-01', bytesOf('gone'), first!)).toBe(null)
  const stored = await blobs.get('s1-64-00')
  expect(new TextDecoder().decode(stored!.bytes)).toBe('second')
  expect(stored!.etag).toBe(second)
  // Another folder of the bucket, and the bucket itself, hold none of it.
  expect([...(await blobsIn('other').list())]).toEqual([])
  expect([...(await blobsIn('').list())]).toEqual([])
})

test('control: a service that ignores conditions lets a device write over what it did not read', async () => {
  const blobs = blobsIn('ignored', bucket.unconditionalUrl)
  const first = await blobs.put('s1-64-00', bytesOf('one'), undefined)
  await blobs.put('s1-64-00', bytesOf('two'), first!)
  expect(await blobs.put('s1-64-00', bytesOf('three'), first!)).not.toBe(null)
})

test('of devices that write one blob at once, one succeeds', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, i) => blobsIn('race').put('s1-64-00', bytesOf(`device ${i}`), undefined)),
  )
  expect(outcomes.filter((etag) => etag !== null)).toHaveLength(1)
})

test('a list of several pages is read whole', async () => {
  const pages = [
    '<R><Contents><Key>f/a</Key><ETag>&quot;1&quot;</ETag></Contents><NextContinuationToken>x+/=</NextContinuationToken></R>',
    '<R><Contents><ETag>"2"</ETag><Key>f/b</Key></Contents><Contents><Key>f/</Key><ETag>"0"</ETag></Contents></R>',
  ]
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(new URL(url).searchParams.get('continuation-token') ?? '')
    return new Response(pages[asked.length - 1])
  }
  expect([...(await s3Transport('https://s3.example/b', { fetch, folder: 'f' }).list())]).toEqual([
    ['a', '"1"'],
    ['b', '"2"'],
  ])
  expect(asked).toEqual(['', 'x+/='])
})

test('keeps two stores equal, and holds no plain text', async () => {
  const key = crypto.getRandomValues(new Uint8Array(32))
  const open = async (name: string) => {
    const recall = await openRecall({ name, storage: 'memory', embedder: null })
    return { recall, replication: replicate(recall, { transport: blobsIn('devices'), key, everyMs: null }) }
  }
  const [a, b] = [await open('s3-a'), await open('s3-b')]
  await a.recall.put([
    { id: 'x', body: 'The acorn is under the oak' },
    { id: 'y', body: 'A magpie' },
  ])
  await b.recall.put({ id: 'z', body: 'A walnut' })
  await a.replication.sync()
  expect(await b.replication.sync()).toMatchObject({ inserted: 2, pushed: 1 })
  expect(await a.replication.sync()).toMatchObject({ inserted: 1, pushed: 0 })
  await b.recall.forget('y')
  await b.replication.sync()
  expect(await a.replication.sync()).toMatchObject({ forgotten: 1, pushed: 0 })
  expect((await a.recall.recall('acorn oak')).hits.map(({ id }) => id)).toEqual(['x'])
  const files = (await readdir(bucket.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  expect(files.length).toBeGreaterThan(1)
  for (const { parentPath, name } of files)
    expect(await readFile(join(parentPath, name), 'latin1')).not.toMatch(/acorn|magpie|walnut/)
  expect(await a.replication.sync()).toEqual({
    pulled: 0,
    pushed: 0,
    inserted: 0,
    updated: 0,
    forgotten: 0,
    conflicts: 0,
  })
  await Promise.all([a.recall.close(), b.recall.close()])
})

test('names what the bucket refuses', async () => {
  const stranger = new AwsClient({ ...credentials, accessKeyId: 'stranger', retries: 0 })
  const blobs = s3Transport(bucket.url, { fetch: (url, init) => stranger.fetch(url, init) })
  const refusal = { code: 'STORAGE_UNAVAILABLE', message: expect.stringMatching(/status 403/) as string }
  await expect(Promise.resolve(blobs.list())).rejects.toMatchObject(refusal)
  await expect(Promise.resolve(blobs.get('s1-64-00'))).rejects.toMatchObject(refusal)
  await expect(blobs.put('s1-64-00', bytesOf('x'), undefined)).rejects.toMatchObject(refusal)
})

test.each([
  ['bucket', { fetch: signed }, 'url'],
  ['https://s3.example/b?x=1', { fetch: signed }, 'url'],
  ['https://s3.example/b', {}, 'fetch'],
  ['https://s3.example/b', { fetch: signed, folder: 7 }, 'folder'],
])('[E1] %s with %j is refused', (url, options, field) => {
  expect(() => s3Transport(url, options as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
})
