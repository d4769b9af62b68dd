/**
 * Tests a visitor's own files in the demo, in Chromium: whole folders are imported, files of the same name are not mixed up,
 * and everything can be deleted for good. The rest of the demo: demo.browser.test.ts.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyDemo } from '../../support/pages/built-demo.ts'
import { demoTools as tools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

describe.runIf(availableBrowsers().includes('chromium'))('in Chromium', () => {
  let folder: string
  let own: string
  let site: Awaited<ReturnType<typeof serveFolder>>
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await copyDemo()
    own = await mkdtemp(join(tmpdir(), 'scrubjay-own-'))
    site = await serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } })
    browser = await shareBrowser('chromium')
    page = await browser.page(`${site.url}/`)
    await until('one("#store-status .facts") && !one(".notice")')
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
    for (const one of [folder, own]) await rm(one, { recursive: true, force: true })
  })

  test('imports a complete folder: files with one name in several folders stay apart, and a second import updates them', async () => {
    await writeTree('vault', {
      'README.md': '# Vault\nThe beginning.',
      'a/README.md': '# A\nAardvarks dig at night.',
      'b/README.md': '# B\nBadgers dig, too.',
      'b/deep/README.md': '# Deep\nMoles dig deepest.',
      'b/picture.png': 'no text',
      '.git/README.md': '# Hidden',
      'node_modules/x/README.md': '# Not yours',
    })
    const before = await read('Number(text("#store-brief").replace(/\\D/g, ""))')
    await pick('#import-folder', 'vault')
    await until('text(".import-found") === "Found 4 records in 5 files: Markdown."')
    expect(
      await read(
        '[all(".import-titles li").map((one) => one.textContent).join(", "), text(".import-left summary"), text(".import-left li")]',
      ),
    ).toEqual(['Vault, A, B, and 1 more', '1 part left out', 'vault/b/picture.png: is of no kind that can be read'])
    expect(
      await read('Number(text("#store-brief").replace(/\\D/g, ""))'),
      'nothing is stored before the visitor agrees',
    ).toBe(before)
    await add()
    await until('text(".import-summary") === "4 records added, 1 part left out."')
    await run('ask("moles dig deepest")')
    await until('text(".hit h3") === "Deep"')
    expect(await read('hit().dataset.id')).toBe('file:vault/b/deep/README.md')

    await writeTree('vault', { 'a/README.md': '# A\nAardvarks dig at night, alone.' })
    await pick('#import-folder', 'vault')
    await add()
    await until('text(".import-summary") === "1 updated, 3 unchanged, 1 part left out."')
    await run('ask("badgers dig")')
    await until('text(".hit h3") === "B"')
  })

  test('shows Markdown as text, and hits far behind the best one only after “Show more”', async () => {
    await writeTree('diary', {
      'Today.md': '# Today\n- [ ] dentist on 3 December at 10:00\n- [ ] cancel the **gas**, letter is in [[Contracts]]',
      'Contracts.md': '# Contracts\nThe deposit of the flat is 1,800 euros.',
      'Piano.md': '# Piano\nLesson every Tuesday at 17:00 with Ms Kim.',
    })
    await pick('#import-folder', 'diary')
    await add()
    await until('text(".import-summary") === "3 records added."')
    await run('ask("when is the dentist")')
    await until('text(".hit h3") === "Today"')
    expect(
      await read(
        '[all(".hit").length, heading(), hit().querySelector(".snippet").textContent.trim().split(/\\s*\\n\\s*/)]',
      ),
    ).toEqual([1, '1 hit', ['dentist on 3 December at 10:00', 'cancel the gas, letter is in Contracts']])
    expect(await read('text("#evidence").trim()')).toBe(
      'Weak evidence. The best hit has all of your words, but they may be about something else.',
    )
    await run('one("#more button").click()')
    await until('all(".hit").length > 3')
    expect(await read('text(".hit h3")')).toBe('Today')
  })

  test('imports the same folder when it is dropped', async () => {
    const data = { items: [], files: [join(own, 'vault')], dragOperationsMask: 1 }
    // A busy page may not yet have allowed the drop when it comes; a person would drop again.
    const dropped = async () => {
      for (const type of ['dragEnter', 'dragOver', 'drop'])
        await page.devtools('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
      await until('one("[data-import=add]")', 5_000)
    }
    await vi.waitFor(dropped, { timeout: 60_000, interval: 100 })
    await add()
    // Chromium gives dropped files other times than chosen ones.
    await until('/^4 (unchanged|updated), 1 part left out.$/.test(text(".import-summary"))')
  })

  test('asks before a file without a folder replaces another text of its name', async () => {
    const drop = (text: string) => run('drop(new File([args[0]], "README.md", { lastModified: 1e12 }))', text)
    await drop('Otters swim on their backs.')
    await until('text(".import-summary") === "1 record added."')
    await drop('Weasels never swim.')
    await until('text(".import-outcome").includes("“README.md” is already here with other text.")')
    await run('one("[data-import=both]").click()')
    await until('text(".import-summary") === "1 record added."')
    for (const [question, id] of [
      ['otters backs', 'file:README.md'],
      ['weasels never', 'file:README (2).md'],
    ]) {
      await run('ask(args[0])', question)
      await until(`hit()?.dataset.id === ${JSON.stringify(id)}`)
    }
    await drop('Weasels never swim.')
    await until('one("[data-import=skip]")')
    await run('one("[data-import=both]").click()')
    await until('text(".import-summary") === "1 unchanged."')
    await drop('Otters swim on their backs, holding hands.')
    await until('one("[data-import=update]")')
    await run('one("[data-import=update]").click()')
    await until('text(".import-summary") === "1 updated."')
  })

  test('imports two files with one name from one drop as two', async () => {
    await run(`
      const files = [new File(['Stoats.'], 'twin.txt'), new File(['Polecats.'], 'twin.txt')]
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer(...files) }))`)
    await add()
    await until('text(".import-summary") === "2 records added."')
  })

  test('deletes everything only after a word is typed, and nothing without it', async () => {
    const everything = () => read<number>('Number(text("#store-brief").replace(/\\D/g, ""))')
    await run('one("#store-brief").click(); const button = one("#delete-all"); button.click(); button.click()')
    await until('one("#delete-all-word") === document.activeElement')
    const submit = 'one(".delete-everything form .danger")'
    expect(await read(`${submit}.disabled`)).toBe(true)
    await run('fill("#delete-all-word", "yes"); one(".delete-everything form").requestSubmit()')
    expect(await read(`${submit}.disabled`)).toBe(true)
    // A change of the store leaves the focus and the typed word where they are.
    await run('window.shownBefore = one("#store-status .safety"); drop(new File(["Late."], "late.txt"))')
    await until('text(".import-summary") === "1 record added." && !window.shownBefore.isConnected')
    expect(await read('[document.activeElement.id, document.activeElement.value]')).toEqual(['delete-all-word', 'yes'])
    await run('all(".delete-everything button").at(-1).click()')
    await until('document.activeElement.id === "delete-all"')
    expect(await everything()).toBeGreaterThan(100)

    await run(
      'one("#delete-all").click(); fill("#delete-all-word", "delete"); one("#delete-all-word").form.requestSubmit()',
    )
    await until('text(".empty-store strong") === "Your store is empty." && /^0 records/.test(text("#store-brief"))')
    expect(await read('[heading(), location.search]')).toEqual(['No records here', ''])
    await page.reload()
    await until('text(".empty-store strong") === "Your store is empty."')
    await run('one("[data-empty=own]").click()')
    expect(await read('document.activeElement.id')).toBe('files')
    await run('drop(new File(["# Mine\\nOnly this."], "mine.md"))')
    await until('text(".hit h3") === "Mine" && ids().length === 1 && /^1 record /.test(text("#store-brief"))')
  })

  test('restores the sample in an empty store on request', async () => {
    await run(
      'one("#delete-all").click(); fill("#delete-all-word", "delete"); one("#delete-all-word").form.requestSubmit()',
    )
    await until('one("[data-empty=sample]")')
    await run('one("[data-empty=sample]").click()')
    await until('!one(".notice") && ids().length === 5')
  })

  test('after an import, a narrow screen shows the answer and the report, not the drawer', async () => {
    const metrics = { width: 390, height: 844, deviceScaleFactor: 1, mobile: false }
    await page.devtools('Emulation.setDeviceMetricsOverride', metrics)
    await run('drop(new File(["# Narrow\\nWalruses rest on ice."], "narrow.md", { lastModified: 1e12 }))')
    await until('text(".notice p") === "1 record added." && text(".hit h3") === "Narrow"')
    expect(await read('[one("#drawer").hidden, one("main").inert]')).toEqual([true, false])
    await run('all(".notice button").find((button) => button.textContent === "Details").click()')
    await until('!one("#drawer").hidden && !one(".notice") && text(".import-summary") === "1 record added."')
    await run('one("#close-drawer").click()')
    await page.devtools('Emulation.clearDeviceMetricsOverride')
  })

  test('reported no error', () => {
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  async function writeTree(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const whole = join(own, name, path)
      await mkdir(dirname(whole), { recursive: true })
      await writeFile(whole, text)
    }
  }

  async function add(): Promise<void> {
    await until('one("[data-import=add]")')
    await run('one("[data-import=add]").click()')
  }

  async function pick(selector: string, name: string): Promise<void> {
    await run('document.querySelector(".import-outcome").replaceChildren()')
    const { root } = await page.devtools<{ root: { nodeId: number } }>('DOM.getDocument')
    const { nodeId } = await page.devtools<{ nodeId: number }>('DOM.querySelector', { nodeId: root.nodeId, selector })
    await page.devtools('DOM.setFileInputFiles', { nodeId, files: [join(own, name)] })
  }

  async function run(source: string, ...args: readonly unknown[]): Promise<void> {
    await page.evaluate(`${tools}; ${source}; return null`, ...args)
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }

  function until(condition: string, timeoutMs = 60_000): Promise<void> {
    const look = async () => {
      if (await read<boolean>(`Boolean(${condition})`).catch(() => false)) return
      throw new Error(
        `Never: ${condition}\n${await read('document.querySelector(".import-outcome").innerText.slice(0, 1500)').catch(String)}`,
      )
    }
    return vi.waitFor(look, { timeout: timeoutMs, interval: 100 })
  }
})
