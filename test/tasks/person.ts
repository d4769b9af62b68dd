/**
 * Works a page as a person does: reaches each control by Tab or by the pointer, where nothing covers it, and types with keys. After
 * each task the page must fit its width and have no serious barrier.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { seriousViolations } from '../support/browsers/axe.ts'
import type { Page } from '../support/browsers/browsers.ts'
import type { Condition } from './conditions.ts'
import { picturesFolder } from './results.ts'

/** An element is named by an expression of the page: `one("#query")`. */
export interface Person {
  /** Names the pictures that follow. */
  begin(name: string): Promise<void>
  read<T>(expression: string): Promise<T>
  run(source: string, ...args: readonly unknown[]): Promise<void>
  until(condition: string): Promise<void>
  /** Puts the caret behind the text of a field. */
  goToEnd(field: string): Promise<void>
  /** By Enter or Space, or by a click. */
  press(element: string): Promise<void>
  /** Replaces the text of a field. */
  write(element: string, text: string): Promise<void>
  type(text: string): Promise<void>
  key(key: string, modifiers?: number): Promise<void>
  choose(select: string, value: string): Promise<void>
  /** Moves a slider to its least value. */
  lessen(slider: string): Promise<void>
  /** Chooses files by a button. */
  pick(input: string, paths: readonly string[]): Promise<void>
  /** On the page, by the pointer. */
  drop(paths: readonly string[]): Promise<void>
  look(name: string): Promise<void>
  /** Fits its width, and has no barrier. */
  check(): Promise<void>
}

const ctrl = 2

/** `tools` are functions for expressions. The page is asked for at each call, because it may be opened again. */
export function personAt(pageOf: () => Page, condition: Condition, tools: string): Person {
  const { hand, width, height, dark, slowness } = condition
  let name = ''
  const page = {
    evaluate: <T>(source: string, ...args: readonly unknown[]) =>
      pageOf().evaluate<T>(`${tools}; ${places}; ${source}`, ...args),
    devtools: <T>(method: string, params?: object) => pageOf().devtools<T>(method, params),
  }
  return { begin, read, run, until, goToEnd, press, write, type, key, choose, lessen, pick, drop, look, check }

  async function begin(next: string): Promise<void> {
    name = next
    mkdirSync(picturesFolder, { recursive: true })
  }

  async function run(source: string, ...args: readonly unknown[]): Promise<void> {
    await page.evaluate(`${source}; return null`, ...args)
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`return (${expression})`)
  }

  function until(wanted: string): Promise<void> {
    const look = async () => {
      if (await read<boolean>(`Boolean(${wanted})`).catch(() => false)) return
      throw new Error(`Never: ${wanted}\n${await read('document.body.innerText.slice(0, 1500)').catch(String)}`)
    }
    return vi.waitFor(look, { timeout: 30_000, interval: 50 })
  }

  async function press(element: string): Promise<void> {
    await reach(element)
    if (hand === 'pointer') return click(await pointOf(element))
    const isTicked = await read<boolean>(`['checkbox', 'radio'].includes((${element}).type)`)
    // A radio button is chosen by the arrow key that reaches it.
    if (isTicked && (await read<boolean>(`(${element}).type === 'radio' && (${element}).checked`))) return
    await key(isTicked ? ' ' : 'Enter')
  }

  async function goToEnd(field: string): Promise<void> {
    await reach(field)
    if (hand === 'pointer') await click(await pointOf(field))
    await key('End', ctrl)
  }

  async function write(element: string, text: string): Promise<void> {
    await reach(element)
    if (hand === 'pointer') await click(await pointOf(element))
    await key('a', ctrl)
    if (text === '') await key('Delete')
    else await type(text)
  }

  async function type(text: string): Promise<void> {
    for (const one of text) {
      if (one === '\n') await key('Enter')
      else {
        await page.devtools('Input.dispatchKeyEvent', { type: 'keyDown', key: one, text: one })
        await page.devtools('Input.dispatchKeyEvent', { type: 'keyUp', key: one })
      }
    }
  }

  async function key(pressed: string, modifiers = 0): Promise<void> {
    const letter = /^[a-z]$/.test(pressed)
    const text = modifiers === 0 || modifiers === 8 ? { Enter: '\r', ' ': ' ', n: 'n', '/': '/' }[pressed] : undefined
    const event = {
      key: pressed,
      code: letter ? `Key${pressed.toUpperCase()}` : pressed === ' ' ? 'Space' : pressed,
      windowsVirtualKeyCode: letter ? pressed.toUpperCase().charCodeAt(0) : keyCodes[pressed],
      modifiers,
      ...(text === undefined ? {} : { text }),
      ...(modifiers === ctrl && commands[pressed] !== undefined ? { commands: [commands[pressed]] } : {}),
    }
    await page.devtools('Input.dispatchKeyEvent', { type: text === undefined ? 'rawKeyDown' : 'keyDown', ...event })
    await page.devtools('Input.dispatchKeyEvent', { type: 'keyUp', ...event, commands: [] })
  }

  async function choose(select: string, value: string): Promise<void> {
    // The browser draws the open list itself, outside of the page, so the keys choose in both cases.
    await reach(select)
    const [from = 0, to = 0] = await read<number[]>(
      `[(${select}).selectedIndex, [...(${select}).options].findIndex((one) => one.value === ${JSON.stringify(value)})]`,
    )
    if (hand === 'pointer') await run(`(${select}).focus()`)
    for (let i = 0; i < Math.abs(to - from); i++) await key(to > from ? 'ArrowDown' : 'ArrowUp')
  }

  async function lessen(slider: string): Promise<void> {
    await reach(slider)
    if (hand === 'keyboard') return key('Home')
    const [x, y] = await pointOf(slider)
    const left = await read<number>(`(${slider}).getBoundingClientRect().left`)
    await click([Math.min(x, left + 4), y])
  }

  async function pick(input: string, paths: readonly string[]): Promise<void> {
    await reach(input)
    await run(`globalThis.pickedInput = (${input})`)
    const { result } = await page.devtools<{ result: { objectId: string } }>('Runtime.evaluate', {
      expression: 'globalThis.pickedInput',
    })
    await page.devtools('DOM.setFileInputFiles', { objectId: result.objectId, files: [...paths] })
  }

  async function drop(paths: readonly string[]): Promise<void> {
    const data = { items: [], files: [...paths], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'])
      await page.devtools('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data })
  }

  /** Moves the focus there, or finds a place that the pointer can press. */
  async function reach(element: string): Promise<void> {
    await until(`(${element})?.checkVisibility()`)
    if (hand === 'pointer') {
      await pointOf(element)
      return
    }
    for (let step = 0; step < 300; step++) {
      const way = await read<string>(`wayTo(${element})`)
      if (way === 'here') {
        await vi.waitFor(async () => expect(await read(`focusFault(${element})`), element).toBe(''), { timeout: 3_000 })
        return
      }
      if (way === 'arrow') await key('ArrowRight')
      else await key('Tab', way === 'back' ? 8 : 0)
    }
    throw new Error(`Tab never came to ${element}, but to ${await read('document.activeElement.outerHTML')}.`)
  }

  /** Also after things have moved: a person waits until they are still. */
  async function pointOf(element: string): Promise<readonly [x: number, y: number]> {
    return vi.waitFor(
      async () => {
        const point = await read<[number, number] | string>(`pointOn(${element})`)
        if (typeof point === 'string') throw new Error(`${element} ${point}`)
        return point
      },
      { timeout: 10_000, interval: 100 },
    )
  }

  async function click([x, y]: readonly [number, number]): Promise<void> {
    const at = { x, y, button: 'left', clickCount: 1 }
    await page.devtools('Input.dispatchMouseEvent', { ...at, type: 'mouseMoved', button: 'none' })
    await page.devtools('Input.dispatchMouseEvent', { ...at, type: 'mousePressed' })
    await page.devtools('Input.dispatchMouseEvent', { ...at, type: 'mouseReleased' })
  }

  async function look(what: string): Promise<void> {
    await pageOf().screenshot(join(picturesFolder, `${name}-${what}.png`), { width, height, dark })
  }

  async function check(): Promise<void> {
    const [inner = 0, content] = await read<number[]>('[innerWidth, document.documentElement.scrollWidth]')
    expect(content, 'wider than the screen').toBeLessThanOrEqual(inner)
    // The rules of axe take seconds on a slow processor, and find the same there.
    if (slowness === 1) expect(await seriousViolations(pageOf())).toEqual([])
  }
}

/** Sets size, scheme and speed of a page. A page that loads must be loaded afterwards, to load in them. */
export async function setUp(page: Page, { width, height, dark, slowness }: Condition): Promise<void> {
  mkdirSync(picturesFolder, { recursive: true })
  await page.screenshot(join(picturesFolder, 'first.png'), { width, height, dark })
  await page.devtools('Emulation.setCPUThrottlingRate', { rate: slowness })
}

/** What Ctrl and a key do in a field. */
const commands: Readonly<Record<string, string>> = { a: 'selectAll', End: 'moveToEndOfDocument' }

const keyCodes: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ' ': 32,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
}

/** Functions of the page: how to reach an element, and whether its focus can be seen. */
const places = `
  // A hidden radio button or file field is seen by its label.
  const boxOf = (element) => ['file', 'radio'].includes(element.type) && element.labels[0] ? element.labels[0] : element
  const isOver = (box, x, y) => {
    const top = document.elementFromPoint(x, y)
    return top !== null && (box.contains(top) || top.closest('label')?.control === box)
  }
  // In the middle of what is in sight: a field may be taller than the window.
  const middleOf = ({ top, bottom }) => {
    const [first, last] = [Math.max(0, top), Math.min(innerHeight, bottom)]
    return first < last ? (first + last) / 2 : (top + bottom) / 2
  }
  const pointsOf = (box) => [...box.getClientRects()].flatMap((rect) =>
    [0.5, 0.2, 0.8].map((part) => [rect.left + rect.width * part, middleOf(rect)]))
  const pointOn = (element) => {
    const box = boxOf(element)
    // As a person scrolls there.
    if (!pointsOf(box).some(([x, y]) => isOver(box, x, y))) box.dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    for (const block of ['nearest', 'center']) {
      box.scrollIntoView({ block, behavior: 'instant' })
      const point = pointsOf(box).find(([x, y]) => isOver(box, x, y))
      if (point !== undefined) return point
    }
    const { left, top } = box.getBoundingClientRect()
    return 'is covered at ' + Math.round(left) + ', ' + Math.round(top) + ' by ' + document.elementFromPoint(left + 2, top + 2)?.outerHTML.slice(0, 200)
  }
  const wayTo = (element) => {
    const active = document.activeElement
    if (active === element) return 'here'
    if (element.type === 'radio' && active.type === 'radio' && active.name === element.name) return 'arrow'
    const row = element.closest('[role=tablist], [role=toolbar], [role=group], fieldset, .chips')
    if (row?.contains(active) && element.tabIndex === -1) return 'arrow'
    const isBefore = active !== document.body && active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING
    return isBefore ? 'back' : 'forward'
  }
  const focusFault = (element) => {
    const box = boxOf(element)
    if (!pointsOf(box).some(([x, y]) => isOver(box, x, y))) return 'has the focus, and is covered or out of sight'
    const rings = []
    for (let one = element, depth = 0; one && depth < 4; one = one.parentElement, depth++) rings.push(getComputedStyle(one))
    rings.push(getComputedStyle(box))
    const isMarked = rings.some(({ outlineStyle, outlineWidth, boxShadow }) => (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none')
    return isMarked || element.matches('textarea') ? '' : 'has the focus, and no mark of it'
  }
`
