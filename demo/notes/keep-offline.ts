/**
 * Installs the service worker, so that the app opens without a network, and offers newer versions. A new version starts only
 * when the user chooses it; until then every tab keeps its version.
 */
import { messageOf, showNotice } from '../shared/notice.ts'
import { make } from '../shared/dom.ts'

/** Resolves to a sentence about offline use. `flush` stores unsaved text before the page reloads. */
export async function keepOffline(flush: () => Promise<void>): Promise<string> {
  const { serviceWorker } = navigator
  if (serviceWorker === undefined) return 'This browser needs a network to open the app.'
  try {
    let isTakeover = serviceWorker.controller !== null
    serviceWorker.addEventListener('controllerchange', () => {
      // The first worker takes over a page of its own version, so no reload is needed.
      if (isTakeover) void flush().finally(() => location.reload())
      isTakeover = true
    })
    const registration = await serviceWorker.register('./service-worker.js')
    if (serviceWorker.controller !== null && registration.waiting !== null) offer(registration.waiting)
    registration.addEventListener('updatefound', () => {
      const coming = registration.installing
      coming?.addEventListener('statechange', () => {
        if (coming.state === 'installed' && serviceWorker.controller !== null) offer(coming)
      })
    })
    await serviceWorker.ready
    return 'Works offline.'
  } catch (error) {
    return `Needs a network: ${messageOf(error)}`
  }
}

function offer(waiting: ServiceWorker): void {
  const use = () => waiting.postMessage('take over')
  const remove = showNotice(
    'calm',
    make('p', {}, make('strong', {}, 'Update ready.'), ' Your notes stay as they are.'),
    make(
      'p',
      { class: 'buttons' },
      make('button', { type: 'button', id: 'use-new-version', click: use }, 'Reload'),
      make('button', { type: 'button', click: () => remove() }, 'Later'),
    ),
  )
}
