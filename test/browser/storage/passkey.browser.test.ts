/** Stores that a passkey locks, with a virtual authenticator of Chromium: WebAuthn's extension PRF. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const script = `
  const codeOf = (error) => [error.code, error.field].join(' ')
  window.opened = async (name, lock) => {
    try {
      window.store = await scrubjay.openRecall({ name, storage: 'opfs', embedder: null, lock })
      return await store.count()
    } catch (error) {
      return codeOf(error)
    }
  }
  window.create = async (name) => {
    await opened(name, { key: Uint8Array.from({ length: 32 }, (_, i) => i) })
    await store.put({ id: 'a', body: 'acorn' })
  }
  window.added = (passkey) => store.keys.add({ passkey }).catch(codeOf)
  window.kinds = async () => (await store.keys.list()).map(({ kind, isOwn }) => kind + ' ' + isOwn)
  /** As if the person cancelled: the virtual authenticator can only wait. */
  window.refusing = async (work) => {
    const { get } = navigator.credentials
    navigator.credentials.get = () => Promise.reject(new DOMException('Cancelled', 'NotAllowedError'))
    return work().finally(() => (navigator.credentials.get = get))
  }
  window.ready = true
`

describe.runIf(availableBrowsers().includes('chromium'))('in Chromium', () => {
  let bundle: BundledPage
  let site: Awaited<ReturnType<typeof serveFolder>>
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    bundle = await bundlePage(script)
    site = await serveFolder(bundle.folder)
    browser = await openBrowser('chromium', { compilesLate: true })
    // A passkey belongs to a domain, and an address is none.
    page = await browser.page(`${site.url.replace('127.0.0.1', 'localhost')}/`)
    await page.evaluate('ready')
    await page.devtools('WebAuthn.enable')
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await bundle?.remove()
  })

  let authenticatorId: string
  afterEach(() => page.devtools('WebAuthn.removeVirtualAuthenticator', { authenticatorId }))
  const authenticator = async (more: object = {}) => {
    const options = { protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true }
    const made = await page.devtools('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, hasUserVerification: true, isUserVerified: true, hasPrf: true, ...more },
    })
    ;({ authenticatorId } = made as { readonly authenticatorId: string })
  }
  const opened = (name: string, passkey: object) => page.evaluate('(...given) => opened(...given)', name, { passkey })
  const added = (passkey: object) =>
    page.evaluate<{ readonly credentialId: string } | string>('(given) => added(given)', passkey)

  test('[K3] a passkey that was added opens the store, another one does not, and a refusal changes nothing', async () => {
    await authenticator()
    await page.evaluate('create("with a passkey")')
    const made = (await added({ userName: 'Anna' })) as { readonly credentialId: string }
    expect(made).toMatchObject({ kind: 'passkey', isOwn: false, credentialId: expect.stringMatching(/^[\w-]{20,}$/) })
    const { credentialId } = made
    await page.evaluate('store.close()')
    expect(await opened('with a passkey', { credentialId })).toBe(1)
    expect(await page.evaluate('kinds()')).toEqual(['key false', 'passkey true'])
    // It is open here, and the same passkey opens it once more.
    expect(await opened('with a passkey', {})).toBe(1)
    await page.evaluate('store.lockNow()')

    expect(await page.evaluate('refusing(() => opened("with a passkey", { passkey: {} }))')).toBe(
      'ABORTED lock.passkey',
    )
    await page.evaluate('create("with another one")')
    const another = (await added({})) as { readonly credentialId: string }
    expect(another).toMatchObject({ kind: 'passkey' })
    const other = { credentialId: another.credentialId }
    // The one that exists.
    expect(await added({ credentialId })).toMatchObject({ kind: 'passkey', credentialId })
    await page.evaluate('store.close()')
    expect(await opened('with a passkey', other)).toBe('WRONG_KEY lock')
    expect(await opened('with another one', other)).toBe(1)
    await page.evaluate('store.close()')
    expect(await opened('with another one', { credentialId })).toBe(1)
    for (const [given, field] of [
      [{ credentialId: 'no text!' }, 'credentialId'],
      [{ rpId: 'elsewhere.example' }, 'rpId'],
      [{ pin: 'x' }, 'pin'],
    ] as const)
      expect(await added(given)).toBe(`INVALID_CONFIG lock.passkey.${field}`)
    expect(await page.evaluate('kinds()')).toHaveLength(3)
  })

  test('an authenticator without PRF is refused', async () => {
    await authenticator({ hasPrf: false })
    await page.evaluate('create("without PRF")')
    expect(await added({})).toBe('INVALID_CONFIG lock.passkey')
    expect(await page.evaluate('kinds()')).toEqual(['key true'])
  })
})
