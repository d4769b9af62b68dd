/**
 * Serves the app from a cache with the files of exactly one build, so that no page mixes two builds. A newer build waits
 * until the page asks it to take over. Notes never pass through this worker.
 */

// Filled in by build.mjs.
declare const appVersion: string
declare const appFiles: readonly string[]

interface Waiting extends Event {
  waitUntil(promise: Promise<unknown>): void
}

interface Fetching extends Waiting {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface WorkerScope {
  readonly registration: { readonly scope: string }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Waiting) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

const worker = globalThis as unknown as WorkerScope
const prefix = 'scrubjay-notes-'
const cacheName = prefix + appVersion
const page = new URL('index.html', worker.registration.scope).href

worker.addEventListener('install', (event) => event.waitUntil(fill()))

worker.addEventListener('activate', (event) => event.waitUntil(dropOthers().then(() => worker.clients.claim())))

worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const isOurs = request.method === 'GET' && request.url.startsWith(worker.registration.scope)
  if (isOurs) event.respondWith(answer(request))
})

async function fill(): Promise<void> {
  const cache = await caches.open(cacheName)
  // `reload` bypasses the HTTP cache, which may hold files of an older build.
  await cache.addAll(appFiles.map((file) => new Request(new URL(file, worker.registration.scope), { cache: 'reload' })))
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)),
  )
}

async function answer(request: Request): Promise<Response> {
  // Not `caches.open`, which would create a cache that the next build has deleted.
  const cached = await caches.match(request.mode === 'navigate' ? page : request, { cacheName, ignoreSearch: true })
  return cached ?? fetch(request)
}
