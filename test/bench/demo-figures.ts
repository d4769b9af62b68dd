/**
 * Measures the demo in Chromium with the processor slowed four times: first content, layout shift, delay of key presses and of
 * answers, bytes. `npm run figures`, after a build.
 */
import { headerPolicy } from '../../demo/security-policy.mjs'
import { openBrowser, type Page } from '../support/browsers/browsers.ts'
import { copyDemo } from '../support/pages/built-demo.ts'
import { demoTools } from '../support/pages/demo-tools.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const question = 'when is the birthday dinner'

const site = await serveFolder(await copyDemo(), { headers: { 'Content-Security-Policy': headerPolicy } })
const browser = await openBrowser('chromium')
try {
  const page = await browser.page('about:blank')
  await page.devtools('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.devtools('Page.navigate', { url: `${site.url}/` })
  const ready = '!!document.querySelector("#store-status .facts") && performance.now()'
  const openMs = await until(page, ready)
  const load = await page.evaluate<object>(`
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const shifts = await new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries())).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => done([]), 500)
    })
    const files = performance.getEntriesByType('resource')
    return {
      firstContentMs: Math.round(paint.startTime),
      layoutShift: Number(shifts.reduce((sum, { value }) => sum + value, 0).toFixed(4)),
      pageKilobytes: Math.round(files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000),
    }`)
  const typing = await page.evaluate<object>(
    `${demoTools}
     const inputs = [], answers = []
     for (let end = 1; end <= args[0].length; end++) {
       const changed = new Promise((done) => {
         const watch = new MutationObserver(() => { watch.disconnect(); done(performance.now()) })
         watch.observe(one('#hits'), { childList: true })
       })
       const from = performance.now()
       type(args[0].slice(0, end))
       inputs.push(performance.now() - from)
       answers.push((await changed) - from)
       await new Promise((done) => setTimeout(done, 120))
     }
     const p95 = (values) => Math.round(values.sort((a, b) => a - b)[Math.floor(0.95 * values.length)])
     return { inputP95Ms: p95(inputs), answerP95Ms: p95(answers), keys: answers.length }`,
    question,
  )
  process.stdout.write(`${JSON.stringify({ readyMs: Math.round(openMs), ...load, ...typing }, null, 2)}\n`)
} finally {
  await browser.close()
  await site.close()
}
process.exit()

async function until(page: Page, expression: string): Promise<number> {
  for (;;) {
    const value = await page.evaluate<number | false>(expression).catch(() => false as const)
    if (value !== false) return value
    await new Promise((done) => setTimeout(done, 50))
  }
}
