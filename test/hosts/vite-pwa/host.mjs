/** Online, a reload under the service worker, then without a network: put and recall go on, with vectors. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const host = {
  quick: true,
  async run({ app, run, serveFolder, inPage, answerOf, expectWorks }) {
    await run('vite build')
    const precached = await readFile(join(app, 'dist/sw.js'), 'utf8')
    const built = await readdir(join(app, 'dist/assets'))
    for (const [part, isWanted] of [
      ['minilm-static-128', true],
      ['sqlite3', true],
      ['hnsw', false],
    ]) {
      const name = built.find((one) => one.startsWith(part))
      if (!name) throw new Error(`${part} is missing in dist/assets`)
      if (precached.includes(name) !== isWanted) throw new Error(`${name}: precached must be ${isWanted}`)
    }
    await serveFolder('dist', (url) =>
      inPage(`${url}/`, async (page) => {
        expectWorks(await answerOf(page))
        await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
        await page.reload()
        expectWorks(await answerOf(page))
        // The browser's own cache of the files must not help.
        await page.devtools('Network.enable')
        await page.evaluate(
          "new Promise((done) => { const gone = indexedDB.deleteDatabase('scrubjay-files'); gone.onsuccess = gone.onerror = gone.onblocked = () => done(true) })",
        )
        await page.devtools('Network.emulateNetworkConditions', {
          offline: true,
          latency: 0,
          downloadThroughput: 0,
          uploadThroughput: 0,
        })
        await page.reload()
        expectWorks(await answerOf(page))
      }),
    )
  },
}
