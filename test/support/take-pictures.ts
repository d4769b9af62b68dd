/**
 * Takes the pictures of the README from the real search demo, in Chromium: an answer, and the explanation of one record.
 * `npx tsx test/support/take-pictures.ts`, after a build.
 */
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
  const waitFor = async (condition: string) => {
    while (!(await page.evaluate<boolean>(`${demoTools}; return Boolean(${condition})`))) await sleep(200)
  }
  const folder = join(root, 'docs/pictures')
  await mkdir(folder, { recursive: true })

  await waitFor('!one(".notice") && one("#store-status .facts")')
  await page.evaluate(`${demoTools}; ask(args[0])`, question)
  await waitFor('text("#evidence strong") === "Strong evidence." && one("#hits .why-this")')
  await sleep(1000)
  await page.screenshot(join(folder, 'search.png'), { width: 1200, height: 760 })

  await page.evaluate(`${demoTools}; one("#hits .why-this").click()`)
  await waitFor('one("#why .bars") && one(".cut-list .cut")')
  await sleep(1000)
  await page.screenshot(join(folder, 'why.png'), { width: 416, height: 680 })
} finally {
  await browser.close()
  await site.close()
}
process.exit()
