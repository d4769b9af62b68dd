/** Does the ten tasks of `demo/README.md` in the search demo. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { headerPolicy } from '../../demo/security-policy.mjs'
import { copyDemo } from '../support/pages/built-demo.ts'
import { demoTools } from '../support/pages/demo-tools.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { inEachCondition } from './in-each-condition.ts'
import type { Person } from './person.ts'
import type { Task } from './results.ts'

const tools = `${demoTools}
  const story = (place) => all('.story')[place]
  const sentence = () => text('#why .explanation p') ?? ''
  const readings = () => all('#readings button').map((one) => one.textContent)
  const isOnScreen = (element) => element.getBoundingClientRect().top < innerHeight && element.getBoundingClientRect().bottom > 0
  const isSorted = () => {
    const times = all('#hits time').map((one) => Date.parse(one.dateTime))
    return times.length > 5 && times.every((time, i) => i === 0 || times[i - 1] >= time)
  }
`
let folder: string
let own: string

const closeDrawer = async (person: Person) => {
  if (await person.read<boolean>('!one("#drawer").hidden')) await person.press('one("#close-drawer")')
}

/** In a low window, an answer takes the place of the cards, which come back when the box is cleared. */
const pressCard = async (person: Person, place: number) => {
  if (!(await person.read<boolean>(`story(${place}).checkVisibility()`))) await person.write('one("#query")', '')
  await person.press(`story(${place})`)
}

const ask = async (person: Person, question: string) => {
  await closeDrawer(person)
  await person.write('one("#query")', question)
  await person.key('Enter')
}

/** Opens the explanation of the first hit. */
const why = async (person: Person, isKeyboard: boolean) => {
  if (isKeyboard) {
    await person.press('hit()')
  } else await person.press('one("#hits .why-this")')
  await person.until('/^Shown\\./.test(sentence())')
}

const tasks: readonly Task[] = [
  [
    'First card: a letter answers, the old note is struck through',
    async (person) => {
      await person.look('start')
      await pressCard(person, 0)
      await person.until('hit()?.dataset.id === "letter/dinner-letter" && hit().querySelector(".replaced s")')
      expect(await person.read('isOnScreen(hit())')).toBe(true)
    },
  ],
  [
    'Second card: nothing answers',
    async (person) => {
      await pressCard(person, 1)
      await person.until('text("#evidence strong") === "Nothing here answers this."')
    },
  ],
  [
    'Third card: why the voucher is missing',
    async (person) => {
      await pressCard(person, 2)
      await person.until('sentence().startsWith("Left out.") && isOnScreen(one("#why .explanation p"))')
      await person.look('why')
      await closeDrawer(person)
    },
  ],
  [
    'Ask “bike chain”, ↓ and Enter: what made it rank there',
    async (person, { hand }) => {
      await ask(person, 'bike chain')
      await person.until('all(".hit").length === 5 && text(".hit h3") === "Bike chain"')
      await person.look('answer')
      if (hand === 'keyboard') {
        await person.key('ArrowDown')
        await person.key('Enter')
      } else await person.press('one("#hits .why-this")')
      await person.until('/^Shown\\./.test(sentence()) && all("#why .bars dt").length > 0')
      await person.look('why')
      await closeDrawer(person)
    },
  ],
  [
    '“what did I do last week”: the days as a chip; letters only',
    async (person) => {
      await ask(person, 'what did I do last week')
      await person.until('readings().length === 1 && readings()[0].startsWith("last week: ")')
      await person.press('one("#readings button")')
      await person.until('readings()[0].startsWith("“last week” as written")')
      await person.press('one("#readings button")')
      await person.until('readings()[0].startsWith("last week: ")')
      await person.press('chip("letter")')
      await person.until('all("#hits .source").every((one) => one.textContent.startsWith("Letter"))')
      await person.look('letters')
      await person.press('chip("letter")')
    },
  ],
  [
    '“bike ch” is completed; newest first',
    async (person, { hand }) => {
      await person.write('one("#query")', 'bike ch')
      await person.until('text(".ghost") === "bike chain" && !one(".ghost").hidden')
      await person.look('completion')
      if (hand === 'keyboard') await person.key('ArrowRight')
      else await person.press('one(".complete")')
      await person.until('one("#query").value === "bike chain" && one(".ghost").hidden && all(".hit").length === 5')
      await person.choose('one("#order")', 'newest')
      await person.until('isSorted()')
      await person.look('newest')
      await person.choose('one("#order")', 'best')
      await person.until('text(".hit h3") === "Bike chain"')
    },
  ],
  [
    'Drawer: the cut, the budget, another policy',
    async (person, { hand }) => {
      await ask(person, 'bike chain')
      await person.until('text(".hit h3") === "Bike chain"')
      await why(person, hand === 'keyboard')
      await person.until('one(".cut-list .cut")')
      await person.press('one("#tab-context")')
      await person.until('one(".token-meter [role=meter]")')
      await person.lessen('one("#max-tokens")')
      await person.until(
        'Number(one(".token-meter [role=meter]").getAttribute("aria-valuemax")) <= 100 && text(".written-text")',
      )
      await person.look('context')
      await person.press('one("#tab-engine")')
      await person.press('one("#policy-tokenpak")')
      await person.until('fact("Policy").startsWith("tokenpak")')
      await person.look('engine')
      await person.press('one("#policy-balanced")')
      await person.until('fact("Policy").startsWith("balanced")')
      await closeDrawer(person)
    },
  ],
  [
    'Add a Markdown file: only own records are asked',
    async (person, { hand }) => {
      const file = join(own, 'garden.md')
      await writeFile(file, '# Garden\n\n## Roses\nPrune them in March.\n\n## Beans\nSow late.\n')
      if (hand === 'pointer') await person.drop([file])
      else {
        await person.press('one("#open-drawer")')
        await person.press('one("#tab-engine")')
        await person.pick('one("#files")', [file])
      }
      await person.until('text(".import-summary") === "1 record added." && text(".hit h3") === "Garden"')
      await person.look('imported')
      await ask(person, 'sow late')
      await person.until('text(".hit h3") === "Garden" && ids()[0] === "file:garden.md"')
    },
  ],
  [
    'Delete a record, undo, delete again: the proof',
    async (person, { hand }) => {
      const remove = async () => {
        await person.until('text(".hit h3") === "Garden"')
        await why(person, hand === 'keyboard')
        await person.press('one(".whole-record summary")')
        await person.press('one("#why .whole-record .danger")')
        await person.until('toast("undo")')
      }
      await remove()
      await person.press('toast("undo")')
      await person.until('!one(".toast")')
      await closeDrawer(person)
      await remove()
      await person.until('canDeleteNow()')
      await person.press('toast("now")')
      await person.until('text(".proof strong") === "Deleted. Nothing of it is left on this device."')
      await person.look('proof')
      await person.press('toast("close")')
    },
  ],
  [
    'Delete everything, reload, load the sample again',
    async (person) => {
      await person.press('one("#drawer").hidden ? one("#open-drawer") : one("#tab-engine")')
      await person.press('one("#tab-engine")')
      await person.press('one("#delete-all")')
      await person.until('document.activeElement.id === "delete-all-word"')
      await person.type('delete')
      await person.press('one(".delete-everything form .danger")')
      await person.until('text(".empty-store strong") === "Your store is empty."')
      await person.run('location.reload()')
      await person.until('text(".empty-store strong") === "Your store is empty." && one("#drawer").hidden')
      await person.look('empty')
      await person.press('one("[data-empty=sample]")')
      await person.until('ids().length === 5')
    },
  ],
]

beforeAll(async () => {
  folder = await copyDemo()
  own = await mkdtemp(join(tmpdir(), 'scrubjay-own-'))
})

afterAll(async () => {
  for (const one of [folder, own]) await rm(one, { recursive: true, force: true })
})

inEachCondition({
  name: 'search',
  tasks,
  tools,
  serve: () => serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } }),
  ready: 'one("#store-status .facts") && !one(".notice")',
})
