/** What the tests of the demo do in its page: run statements, read expressions, wait for conditions, delete the first hit. */
import { vi } from 'vitest'
import type { Page } from '../../support/browsers/browsers.ts'
import { demoTools } from '../../support/pages/demo-tools.ts'

const tools = `${demoTools}
  const story = (place) => all('.story')[place]
  const sentence = () => text('#why .explanation p')
  const readings = () => all('#readings button').map((one) => one.textContent)
  const isSorted = (step) => {
    const times = all('#hits time').map((one) => Date.parse(one.dateTime))
    return times.length > 5 && times.every((time, i) => i === 0 || step * (time - times[i - 1]) >= 0)
  }
  const packed = () => all('.packed-record').map((one) => one.dataset.id)
  const row = (id) => one('.packed-record[data-id="' + id + '"]')
  const chooseWhose = (whose) => one('label[for="whose-' + whose + '"]').click()
`

export interface DemoSession {
  /** Deletes the first hit. */
  remove(): Promise<void>
  run(source: string, ...args: readonly unknown[]): Promise<void>
  read<T>(expression: string): Promise<T>
  until(condition: string, timeoutMs?: number): Promise<void>
}

/** The page is asked for at each call: it opens after the tests are declared. */
export function demoSession(pageOf: () => Page): DemoSession {
  return { remove, run, read, until }

  /** Deletes the first hit. A press soon after an earlier deletion counts as a double press, so it is repeated. */
  function remove(): Promise<void> {
    const press = async () => {
      await run('one("#hits .why-this").click()')
      await until('one("#why .danger")')
      await run('one(".whole-record").open = true; one("#why .danger").click()')
      if (!(await read<boolean>('Boolean(toast("undo"))'))) throw new Error('Nothing was deleted.')
    }
    return vi.waitFor(press, { timeout: 60_000, interval: 100 })
  }

  async function run(source: string, ...args: readonly unknown[]): Promise<void> {
    await pageOf().evaluate(`${tools}; ${source}; return null`, ...args)
  }

  function read<T>(expression: string): Promise<T> {
    return pageOf().evaluate<T>(`${tools}; return (${expression})`)
  }

  /** `expect.poll` does not work in hooks. */
  function until(condition: string, timeoutMs = 30_000): Promise<void> {
    const look = async () => {
      if (await read<boolean>(`Boolean(${condition})`)) return
      throw new Error(`Never: ${condition}\n${await read('document.body.innerText.slice(0, 1500)').catch(String)}`)
    }
    return vi.waitFor(look, { timeout: timeoutMs, interval: 50 })
  }
}
