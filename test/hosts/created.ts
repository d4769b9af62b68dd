/** For the apps of `create/templates`: waits for what a page shows, and types into it. */
interface Evaluated {
  evaluate<T>(source: string, ...args: readonly unknown[]): Promise<T>
}

/** In the page: `text(selector)` is the visible text of all elements, `type` replaces the text of a field. */
const helpers = `
const all = (selector) => [...document.querySelectorAll(selector)]
const text = (selector) => all(selector).map((element) => element.textContent).join('\\n')
const type = (selector, value) => {
  const field = document.querySelector(selector)
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}`

const patienceMs = 30_000

export function inApp(page: Evaluated) {
  async function act(code: string, ...args: readonly unknown[]): Promise<void> {
    await page.evaluate(`${helpers}\n${code}\nreturn null`, ...args)
  }
  async function until(condition: string): Promise<void> {
    const untilMs = performance.now() + patienceMs
    while (performance.now() < untilMs) {
      // The page may be between two loads.
      if (await page.evaluate<boolean>(`${helpers}\nreturn Boolean(${condition})`).catch(() => false)) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`never: ${condition}\n${await page.evaluate<string>('document.body.innerText')}`)
  }
  return { act, until }
}

export function conversation(page: Evaluated) {
  const { act, until } = inApp(page)
  async function say(words: string): Promise<void> {
    await until(`document.querySelector('#ask button').disabled === false`)
    await act(`type('#text', args[0]); document.querySelector('#ask').requestSubmit()`, words)
  }
  return { say, until }
}
