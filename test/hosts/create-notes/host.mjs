/** The template `notes`: a note is found again after a reload, and after one without a network. */
import { inApp } from '../created.ts'

export const host = {
  template: 'notes',
  async run({ run, serveFolder, inPage }) {
    await run('tsc')
    await run('vite build')
    await serveFolder('dist', (url) =>
      inPage(`${url}/`, async (page) => {
        const { act, until } = inApp(page)
        await act(`await navigator.serviceWorker.ready`)
        await until(`document.querySelector('#save').disabled === false`)
        await act(
          `type('#title', 'Garden'); type('#body', 'Plant garlic in October.'); document.querySelector('#edit').requestSubmit()`,
        )
        await until(`text('#saved') === 'Saved.' && text('#list h2') === 'Garden'`)
        const finds = async () => {
          await until(`text('#list h2') === 'Garden'`)
          await act(`type('#find', 'when do I plant garl')`)
          await until(`text('#list mark').includes('garlic') && text('#evidence').startsWith('Evidence: ')`)
          await act(`type('#find', 'zzz')`)
          await until(`text('#evidence') === 'Nothing here answers this.' && text('#list') === ''`)
        }
        await page.reload()
        await finds()
        await page.devtools('Network.enable')
        const offline = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 }
        await page.devtools('Network.emulateNetworkConditions', offline)
        await page.reload()
        await finds()
      }),
    )
  },
}
