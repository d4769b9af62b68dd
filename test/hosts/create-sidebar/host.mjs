/**
 * The template `sidebar`, loaded as an extension: a page is remembered from Chromium's own panel, and found again after the panel loads
 * again. Then with the code of docs/extension-sidebars.md: each visited page is remembered, also after the offscreen document was closed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser } from '../../support/browsers/browsers.ts'
import { inApp } from '../created.ts'

export const host = {
  template: 'sidebar',
  async run({ app, run, serveFolder }) {
    await run('tsc')
    await run('vite build')
    await mkdir(join(app, 'site'))
    await writeFile(
      join(app, 'site/kites.html'),
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Kites</title><p>A kite needs a steady wind.</p>',
    )
    await withExtension(join(app, 'dist'), (browser) =>
      serveFolder('site', async (url) => {
        await browser.page(`${url}/kites.html`)
        await pressIcon(browser)
        const { act, until } = inApp(await browser.sidePanel('/panel.html'))
        await until(`document.readyState === 'complete'`)
        await act(`document.querySelector('#remember').click()`)
        await until(`text('#state') === 'Remembered: Kites' && text('#list h2') === 'Kites'`)
        await act(`location.reload()`)
        await until(`text('#state') === '' && text('#list h2') === 'Kites'`)
        await act(`type('#find', 'steady wind')`)
        await until(`text('#list mark').includes('steady') && text('#evidence') === 'Evidence: strong.'`)
        await act(`type('#find', 'zzz')`)
        await until(`text('#evidence') === 'Nothing here answers this.' && text('#list') === ''`)
      }),
    )

    await addGuide(app)
    await run('tsc')
    await run('vite build')
    await withExtension(join(app, 'dist'), (browser) =>
      serveFolder('site', async (url) => {
        // At once: most of them arrive before the store is open.
        await Promise.all(Array.from({ length: 8 }, (_, i) => browser.page(`${url}/kites.html?${i}`)))
        const id = await inBackground(browser, 'return chrome.runtime.id')
        const page = await browser.page(`chrome-extension://${id}/panel.html`)
        const { until } = inApp(page)
        await until(`all('#list li').length === 8`)
        await inBackground(browser, 'await chrome.offscreen.closeDocument(); return null')
        await browser.page(`${url}/kites.html?8`)
        await until(`all('#list li').length === 9`)
      }),
    )
  },
}

async function withExtension(extension, use) {
  const args = [`--load-extension=${extension}`, `--disable-extensions-except=${extension}`]
  const browser = await openBrowser('chromium', { args })
  try {
    await use(browser)
  } finally {
    await browser.close()
  }
}

/** What the guide says to do, with its own code. */
async function addGuide(app) {
  const guide = await readFile(new URL('../../../docs/extension-sidebars.md', import.meta.url), 'utf8')
  const block = (start) => {
    const found = guide.split('```').find((part) => part.replace(/^.*\n/, '').startsWith(start))
    if (found === undefined) throw new Error(`the guide must have a block that starts with ${start}`)
    return found.replace(/^.*\n/, '')
  }
  const background = join(app, 'src/background.ts')
  await writeFile(background, `${await readFile(background, 'utf8')}\n${block('// background.ts')}`)
  await writeFile(join(app, 'src/content.ts'), block('// content.ts'))
  await writeFile(join(app, 'src/offscreen.ts'), block('// offscreen.ts'))
  await writeFile(join(app, 'offscreen.html'), '<!doctype html><script type="module" src="/src/offscreen.ts"></script>')
  const config = join(app, 'vite.config.ts')
  const inputs = "input: { content: 'src/content.ts', offscreen: 'offscreen.html',"
  await writeFile(config, (await readFile(config, 'utf8')).replace('input: {', inputs))
  const path = join(app, 'public/manifest.json')
  const manifest = { ...JSON.parse(await readFile(path, 'utf8')), ...JSON.parse(block('{')) }
  for (const script of manifest.content_scripts) script.matches = ['http://127.0.0.1/*']
  await writeFile(path, JSON.stringify(manifest))
}

async function inBackground(browser, code) {
  const worker = await browser.serviceWorker('/background.js')
  const value = await worker.evaluate(code)
  await worker.detach()
  return value
}

async function pressIcon(browser) {
  const { targetInfos } = await browser.devtools('Target.getTargets', { filter: [{ type: 'tab' }] })
  const tab = targetInfos.find(({ url }) => url.includes('/kites.html'))
  const id = await inBackground(browser, 'return chrome.runtime.id')
  await browser.devtools('Extensions.triggerAction', { id, targetId: tab.targetId })
}
