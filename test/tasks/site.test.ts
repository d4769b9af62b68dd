/** Does the ten tasks of `site/README.md` on the site: its pages, its search and the playground. */
import { beforeAll, expect } from 'vitest'
import { headerPolicy } from '../../site/site-policy.ts'
import { builtSite } from '../support/pages/built-site.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { inEachCondition } from './in-each-condition.ts'
import type { Person } from './person.ts'
import type { Task } from './results.ts'

const tools = `
  const one = (selector) => document.querySelector(selector)
  const all = (selector) => [...document.querySelectorAll(selector)]
  const text = (selector) => one(selector)?.textContent ?? ''
  const found = () => all('.results a').map((link) => link.dataset.id)
  const hits = () => all('#answer > .answer-hits > li').map((hit) => hit.dataset.id)
  const isAt = (path) => location.pathname.endsWith('/' + path) && document.readyState === 'complete'
  const isWithin = (inner, outer) => inner.getBoundingClientRect().bottom <= outer.getBoundingClientRect().bottom
  const isInSight = (element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top < innerHeight && bottom > 0
  }
`

const go = async (person: Person, path: string) => {
  await person.press(`one('.main-links a[href$="${path}"]')`)
  await person.until(`isAt("${path}")`)
}

const search = async (person: Person, question: string, isKeyboard: boolean) => {
  if (!(await person.read<boolean>('one("dialog.search")?.open === true'))) {
    if (isKeyboard) await person.key('/')
    else await person.press('one("#open-search")')
  }
  await person.until('one("dialog.search")?.open')
  await person.write('one("#search-text")', question)
  await person.until(`text("#search-state") !== "" && !text("#search-state").startsWith("Ask")`)
}

const tasks: readonly Task[] = [
  [
    'From the home page to the list of guides, and into one',
    async (person) => {
      await person.look('home')
      await go(person, 'docs/index.html')
      await person.press(`one('main a[href$="web-agents.html"]')`)
      await person.until('isAt("docs/web-agents.html") && isInSight(one("h1"))')
    },
  ],
  [
    'Search “how do I back up my data”; open the guide that it finds',
    async (person, { hand }) => {
      await search(person, 'how do I back up my data', hand === 'keyboard')
      await person.until('found().slice(0, 3).includes("docs/backup.html")')
      await person.look('found')
      const place = await person.read<number>('found().indexOf("docs/backup.html")')
      if (hand === 'pointer') await person.press(`all(".results a")[${place}]`)
      else {
        for (let i = 0; i <= place; i++) await person.key('ArrowDown')
        await person.key('Enter')
      }
      await person.until('isAt("docs/backup.html")')
    },
  ],
  [
    'A mistyped word is read as the word that was meant',
    async (person, { hand }) => {
      await search(person, 'is my data encripted', hand === 'keyboard')
      await person.until(
        'text("#search-state").includes("encripted → encrypted") && found()[0]?.startsWith("docs/security")',
      )
    },
  ],
  [
    'A word has reasons, on request',
    async (person) => {
      await person.press('one("#search-reasons")')
      await person.until('one(".results .reasons").checkVisibility()')
      await person.look('reasons')
      await person.press('one("#search-reasons")')
      await person.until('!one(".results .reasons").checkVisibility()')
    },
  ],
  [
    'What the site does not hold: nothing answers; close the search',
    async (person, { hand }) => {
      await search(person, 'best recipe for sourdough bread', hand === 'keyboard')
      await person.until('text("#search-state").startsWith("Nothing here answers this.")')
      if (hand === 'keyboard') await person.key('Escape')
      else await person.press('one("dialog.search .search-head button")')
      await person.until('!one("dialog.search").open && isAt("docs/backup.html")')
    },
  ],
  [
    'All pages → Benchmarks: a plot can be read',
    async (person) => {
      if (!(await person.read<boolean>('one("details.side").open'))) await person.press('one("details.side summary")')
      await person.press(`one('details.side a[href$="benchmarks.html"]')`)
      await person.until('isAt("docs/benchmarks.html")')
      await person.run('one("main svg").scrollIntoView()')
      await person.until('isInSight(one("main svg"))')
      await person.look('plot')
    },
  ],
  [
    'Playground: what answers, why, and what was left out',
    async (person) => {
      await person.run('scrollTo(0, 0)')
      await go(person, 'playground.html')
      await person.until('hits()[0] === "dinner-letter"')
      await person.press('one("#answer summary")')
      await person.until('one("#answer details").open && all("#answer .reason-list li").length > 0')
      expect(await person.read('text(".left-out-list")')).toContain('dinner-note')
      await person.look('answer')
    },
  ],
  [
    'Another policy, another question, and back',
    async (person) => {
      await person.choose('one("#start-from")', 'ctxsift')
      await person.until(`one("#policy textarea").value.includes('"name": "ctxsift"') && hits().length > 0`)
      await person.write('one("#question")', 'when does the train leave')
      await person.until('hits()[0] === "train"')
      await person.press('one("#reset")')
      await person.until('hits()[0] === "dinner-letter" && location.hash === ""')
    },
  ],
  [
    'Own records: a mistake is named with its line, then mended',
    async (person) => {
      const records = (tags: string) => `[{ "id": "key",\n"body": "The spare key is with Ida.",\n"tags": ${tags} }]`
      await person.write('one("#records textarea")', records('4'))
      await person.until('text("#records-problem").startsWith("Line 3: `tags` must be")')
      expect(await person.read('isWithin(one("#records-problem"), one("#records .editor"))')).toBe(true)
      await person.look('mistake')
      await person.write('one("#records textarea")', records('["home"]'))
      await person.write('one("#question")', 'who has the spare key')
      await person.until('text("#records-problem") === "" && hits().join() === "key"')
    },
  ],
  [
    'The link holds it all; the demo runs in its page',
    async (person) => {
      await person.press('one("#share")')
      await person.until('location.hash.startsWith("#p1.") && text("#share") !== "Copy link"')
      await person.run('location.reload()')
      await person.until('one("#question")?.value === "who has the spare key" && hits().join() === "key"')
      await go(person, 'demo.html')
      await person.until('one("iframe")?.contentDocument?.querySelectorAll(".story").length === 3')
      await person.look('demo')
    },
  ],
]

let folder: string

beforeAll(async () => {
  folder = await builtSite()
})

inEachCondition({
  name: 'site',
  tasks,
  tools,
  serve: () => serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } }),
  path: 'index.html',
  ready: 'one(".lead")',
})
