/**
 * Measures the notes app with 1,000 and with 5,000 notes, in Chromium, with the processor slowed four times: time until the list is there,
 * long tasks while a question is typed, and the time from each key to the paint of its answer. `npx tsx test/bench/apps/notes-keys.ts`, after a build;
 * further arguments are numbers of notes; `--profile FILE` writes a processor profile of the typing.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildNotes, policy } from '../../../demo/notes/build.mjs'
import { openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { demoTools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const question = 'where is the piano lesson invoice'
const keyMs = 150

const profileAt = process.argv.indexOf('--profile')
const profilePath = profileAt < 0 ? null : (process.argv[profileAt + 1] ?? null)
const counts = process.argv.slice(2).map(Number).filter(Number.isInteger)

async function measure(count: number): Promise<object> {
  const browser = await openBrowser('chromium')
  try {
    const page = await browser.page(`${site.url}/`)
    await until(page, 'all("#hits .hit").length > 0 && text("#app-status") === "Works offline."')
    await page.evaluate(`${demoTools}; ${importNotes}`, count)
    await until(page, `/^[\\d,]+ notes added/.test(text(".import-summary") ?? "")`)
    await page.devtools('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.devtools('Emulation.setDeviceMetricsOverride', {
      width: 1280,
      height: 800,
      deviceScaleFactor: 1,
      mobile: false,
    })
    await page.reload()
    const openMs = await page.evaluate<number>(`${demoTools}
      while (all('#hits .hit').length === 0) await new Promise((done) => setTimeout(done, 10))
      return performance.now()`)
    // The rest of the list is read, and the table of meanings.
    await until(page, `/^[\\d,]+ notes$/.test(text("#list-heading") ?? "")`)
    const wholeMs = await page.evaluate<number>('performance.now()')
    await page.evaluate(`${demoTools}; fill("#query", "warm up")`)
    await pause(2_000)
    await page.evaluate(`${demoTools}; fill("#query", "")`)
    await pause(1_500)
    await page.evaluate(`${demoTools}; one("#query").focus(); ${observe}`)
    await page.devtools('Performance.enable', { timeDomain: 'threadTicks' })
    const before = await processorTimes(page)
    if (profilePath !== null) {
      await page.devtools('Profiler.enable')
      await page.devtools('Profiler.start')
    }
    for (const key of question) {
      await page.devtools('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key })
      await page.devtools('Input.dispatchKeyEvent', { type: 'keyUp', key })
      await pause(keyMs)
    }
    await pause(1_000)
    if (profilePath !== null) {
      const { profile } = await page.devtools<{ profile: object }>('Profiler.stop')
      await writeFile(profilePath, JSON.stringify(profile))
    }
    const after = await processorTimes(page)
    const perKey = Object.fromEntries(
      Object.entries(after).map(([name, ms]) => [
        name,
        Number(((ms - (before[name] ?? 0)) / question.length).toFixed(1)),
      ]),
    )
    const figures = await page.evaluate<object>(report)
    return { perKey, openMs: Math.round(openMs), wholeMs: Math.round(wholeMs), ...figures }
  } finally {
    await browser.close()
  }
}

/** ms of the page's thread so far, by kind. Other programs do not change them. */
async function processorTimes(page: Page): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await page.devtools<{ metrics: { name: string; value: number }[] }>('Performance.getMetrics')
  const kinds = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration', 'TaskDuration']
  return Object.fromEntries(metrics.flatMap(({ name, value }) => (kinds.includes(name) ? [[name, value * 1000]] : [])))
}

/** Waits in Node: a waiting program in the page would be part of the measure. */
function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}

async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate<boolean>(`${demoTools}; return Boolean(${condition})`).catch(() => false)))
    await pause(100)
}

/** Notes of 5 to 25 sentences from a fixed vocabulary; some share words with the question. */
const importNotes = `
  let seed = 7
  const next = (below) => (seed = (seed * 48271) % 2147483647) % below
  const words = 'the a of in with for my our and to from on at is was will need buy call ask plan piano lesson invoice garden kitchen boiler letter bank train ticket dentist school teacher music concert holiday tent bread flour oven bicycle chain valve lamp desk window paint roof insurance contract deposit landlord neighbour key cellar coat winter summer spring rain river bridge museum book library paper printer cable phone number address city street market apple pear quince sugar salt doctor medicine allergy cat dog walk run swim pool lake mountain hut map guide boat harbour island where when invoice paid open late early monday friday january march june august october'.split(' ')
  const sentence = () => { const text = Array.from({ length: 5 + next(12) }, () => words[next(words.length)]).join(' '); return text[0].toUpperCase() + text.slice(1) + '.' }
  const files = []
  for (let at = 0; at < args[0]; at++) {
    const body = Array.from({ length: 5 + next(20) }, (_, i) => sentence() + (i % 4 === 3 ? '\\n\\n' : ' ')).join('')
    const title = Array.from({ length: 2 + next(3) }, () => words[next(words.length)]).join(' ') + ' ' + at
    files.push(new File(['# ' + title + '\\n\\n' + body + ' #' + words[20 + next(20)] + ' [[' + words[next(90)] + ']]\\n'], 'note-' + at + '.md', { lastModified: 1.7e12 + at * 3.6e6 }))
  }
  const data = new DataTransfer()
  for (const file of files) data.items.add(file)
  one('#import-files').files = data.files
  one('#import-files').dispatchEvent(new Event('change', { bubbles: true }))`

/** Each key: from its event to the frame after the heading of the list was written again, which every answer does. */
const observe = `
  const seen = (globalThis.seen = { tasks: [], keys: [], handlers: [], shifts: 0 })
  new PerformanceObserver((list) => { for (const one of list.getEntries()) seen.tasks.push([Math.round(one.startTime), Math.round(one.duration)]) }).observe({ type: 'longtask' })
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (one.name === 'keydown') seen.handlers.push(Math.round(one.duration)) }).observe({ type: 'event', durationThreshold: 16 })
  let open = null
  addEventListener('keydown', ({ timeStamp }) => { open = { at: timeStamp, answered: null, painted: null }; seen.keys.push(open) }, { capture: true })
  new MutationObserver(() => {
    const mine = open
    if (mine === null || mine.answered !== null) return
    mine.answered = performance.now()
    requestAnimationFrame(() => { const port = new MessageChannel(); port.port1.onmessage = () => (mine.painted = performance.now()); port.port2.postMessage(0) })
  }).observe(one('#list-heading'), { childList: true, characterData: true, subtree: true })`

const report = `
  const at = (values, part) => values.length === 0 ? null : Math.round(values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))])
  const painted = seen.keys.flatMap((key) => key.painted === null ? [] : [key.painted - key.at])
  const answered = seen.keys.flatMap((key) => key.answered === null ? [] : [key.answered - key.at])
  const tasks = seen.tasks.map(([, ms]) => ms)
  return {
    keys: seen.keys.length,
    longTasks: tasks.length, longestTask: Math.max(0, ...tasks), tasks: tasks.join(' '),
    answerP50: at(answered, .5), answerP95: at(answered, .95),
    paintP50: at(painted, .5), paintP95: at(painted, .95), paintMost: at(painted, 1), unanswered: seen.keys.length - painted.length,
    keydownP95: at(seen.handlers, .95),
  }`

const folder = await mkdtemp(join(tmpdir(), 'scrubjay-keys-'))
const built = process.env['APP']
await (built === undefined ? buildNotes(folder) : cp(built, folder, { recursive: true }))
const site = await serveFolder(folder, { headers: { 'Content-Security-Policy': policy.header } })
try {
  for (const count of counts.length === 0 ? [1000, 5000] : counts)
    process.stdout.write(`${count} notes: ${JSON.stringify(await measure(count))}\n`)
} finally {
  await site.close()
  await rm(folder, { recursive: true, force: true })
}
process.exit()
