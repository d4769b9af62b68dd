/** Opens a page of an app in each condition, does its tasks there, and prints their table. */
import { afterAll, beforeAll, describe } from 'vitest'
import type { Browser, Page } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import type { StaticServer } from '../../demo/static-server.mjs'
import { conditions } from './conditions.ts'
import { personAt, setUp } from './person.ts'
import { resultsOf, type Task } from './results.ts'

export interface TaskedApp {
  readonly name: string
  readonly tasks: readonly Task[]
  /** Functions for expressions. */
  readonly tools: string
  /** Serves the built app. Each call gives another port: another origin, with a store of its own. */
  readonly serve: () => Promise<StaticServer>
  /** Below the root of the app. Default: the root. */
  readonly path?: string
  /** True when the page can be used. */
  readonly ready: string
}

/** Declares the tests. Call it after the `beforeAll` that builds the app. */
export function inEachCondition({ name, tasks, tools, serve, path = '', ready }: TaskedApp): void {
  const results = resultsOf(name)
  afterAll(() => results.report())

  describe.each(conditions)(`${name}, $name`, (condition) => {
    let site: StaticServer
    let browser: Browser
    let page: Page
    const person = personAt(() => page, condition, tools)

    beforeAll(async () => {
      site = await serve()
      browser = await shareBrowser('chromium')
      page = await browser.page('about:blank')
      await setUp(page, condition)
      await page.devtools('Page.navigate', { url: `${site.url}/${path}` })
      await person.until(ready)
    })

    afterAll(async () => {
      await page?.close()
      await browser?.close()
      await site?.close()
    })

    results.run(tasks, condition, () => person)
  })
}
