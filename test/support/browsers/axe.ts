/** Runs axe-core inside a page and returns the faults it calls serious or critical, as readable lines. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from './browsers.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** An empty list is good. The page is judged in its current size, colour scheme and state. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  const source = await readFile(axePath, 'utf8')
  // Evaluated by the browser's own tools, so that the page's policy need not allow it.
  await page.evaluate(`if (!window.axe) { ${source}\n }\nreturn typeof window.axe.run`)
  const found = await page.evaluate<readonly Violation[]>(
    `const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
     return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) }))`,
  )
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
      ),
    )
}

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}
