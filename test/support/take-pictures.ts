/** Takes the README's picture of the search demo in Chromium: `npx tsx test/support/take-pictures.ts`, after a build. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { headerPolicy } from '../../demo/security-policy.mjs'
import { openBrowser } from './browsers/browsers.ts'
import { root } from './install-package.ts'
import { copyDemo } from './pages/built-demo.ts'
import { demoTools } from './pages/demo-tools.ts'
import { serveFolder } from './pages/static-server.ts'

const question = process.argv[2] ?? "When is Grandma's birthday dinner?"

const site = await serveFolder(await copyDemo(), { headers: { 'Content-Security-Policy': headerPolicy } })
const browser = await openBrowser('chromium')
try {
  const page = await browser.page(`${site.url}/`)
  while (
    !(await page.evaluate<boolean>(
      '!document.querySelector(".notice") && !!document.querySelector("#store-status .facts")',
    ))
  )
    await sleep(200)
  // The page shows how long the answer took: the first ones are slower.
  for (let round = 0; round < 8; round++) {
    await page.evaluate(`${demoTools}; ask(${JSON.stringify(question)})`)
    await sleep(1000)
  }
  const folder = join(root, 'docs/pictures')
  await mkdir(folder, { recursive: true })
  await page.screenshot(join(folder, 'search.png'), { width: 1200, height: 760 })
} finally {
  await browser.close()
  await site.close()
}
process.exit()
