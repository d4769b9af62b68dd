/** What axe-core finds wrong with a page as it stands, for readers who see, hear or press differently. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from './browsers.ts'

/** One line for each serious or critical violation: the rule, then where. An empty list is good. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  return await page.evaluate(`
    if (window.axe === undefined) { ${source}\n }
    const { violations } = await window.axe.run(document)
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary))
  `)
}
