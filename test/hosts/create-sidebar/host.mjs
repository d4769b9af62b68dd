/** The template `sidebar`, loaded as an extension: a page is remembered from Chromium's own panel, and found again after the panel loads again. */
import { mkdir, writeFile } from 'node:fs/promises'
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
    const extension = join(app, 'dist')
    const args = [`--load-extension=${extension}`, `--disable-extensions-except=${extension}`]
    const browser = await openBrowser('chromium', { args })
    try {
      await serveFolder('site', async (url) => {
        await browser.page(`${url}/kites.html`)
        await pressIcon(browser)
        const panel = await browser.sidePanel('/panel.html')
        const { act, until } = inApp(panel)
        await until(`document.readyState === 'complete'`)
        await act(`document.querySelector('#remember').click()`)
        await until(`text('#state') === 'Remembered: Kites' && text('#list h2') === 'Kites'`)
        await act(`location.reload()`)
        await until(`text('#state') === '' && text('#list h2') === 'Kites'`)
        await act(`type('#find', 'steady wind')`)
        await until(`text('#list mark').includes('steady') && text('#evidence') === 'Evidence: strong.'`)
        await act(`type('#find', 'zzz')`)
        await until(`text('#evidence') === 'Nothing here answers this.' && text('#list') === ''`)
      })
    } finally {
      await browser.close()
    }
  },
}

async function pressIcon(browser) {
  const { targetInfos } = await browser.devtools('Target.getTargets', { filter: [{ type: 'tab' }] })
  const tab = targetInfos.find(({ url }) => url.includes('/kites.html'))
  const worker = await browser.serviceWorker('/background.js')
  const id = await worker.evaluate('chrome.runtime.id')
  await worker.detach()
  await browser.devtools('Extensions.triggerAction', { id, targetId: tab.targetId })
}
