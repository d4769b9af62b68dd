/** Tests how Markdown becomes pages of the site: links, anchors, tables and code under its security policy, and plots of tables. */
import { describe, expect, test } from 'vitest'
import { withDataTables } from '../../../site/content/data-tables.ts'
import { sitePages } from '../../../site/build.ts'
import { parseMarkdown, renderTokens } from '../../../site/content/markdown.ts'
import { readSource, sources } from '../../../site/content/sources.ts'
import { figuresOf } from '../../../site/plots/figures.ts'
import { panelSvg } from '../../../site/plots/panel.ts'
import { column, numbersOf, tableAt } from '../../../site/plots/table.ts'
import { anchorsOf } from '../../support/markdown.ts'

const render = (text: string) => renderTokens(parseMarkdown(text), 'docs/a.md', '../').html

describe('Markdown', () => {
  test.each([
    ['[a](api.md#put)', 'href="../docs/api.html#put"'],
    ['[a](../README.md)', 'href="../index.html"'],
    ['[a](../SECURITY.md)', 'href="../docs/security.html"'],
    ['[a](../src/devtools/README.md)', 'href="../packages/devtools.html"'],
    ['[a](../worker/README.md)', 'href="https://github.com/scrubjay/scrubjay/blob/main/worker/README.md"'],
    ['[a](#b)', 'href="#b"'],
    ['![a](plots/sixty-days.svg)', 'src="../docs/plots/sixty-days.svg"'],
  ])('%s becomes %s', (text, expected) => {
    expect(render(text)).toContain(expected)
  })

  test('no page has style attributes, inline scripts or markup of its own', () => {
    for (const source of sources) {
      const { html } = renderTokens(parseMarkdown(readSource(source)), source.file, '../')
      expect(html, source.file).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    }
    expect(render('<img src=x onerror=alert(1)>')).toContain('&lt;img')
  })

  test('anchors are those that code hosts make', () => {
    const file = 'docs/benchmarks.md'
    const { headings } = renderTokens(parseMarkdown(readSource({ file })), file, '../')
    expect(new Set(headings.map(({ anchor }) => anchor))).toEqual(anchorsOf(readSource({ file })))
  })
})

test('links of the home page lead to headings that exist', () => {
  const pages = new Map(sitePages().map((page) => [page.path, page]))
  const links = [...pages.get('index.html')!.body.matchAll(/href="([\w./-]+\.html)#([\w-]+)"/g)]
  expect(links.length).toBeGreaterThan(0)
  for (const [link, path = '', anchor] of links)
    expect(
      pages.get(path)?.headings?.map((heading) => heading.anchor),
      link,
    ).toContain(anchor)
})

describe('the list of pages', () => {
  /** For readers of the sources, which the package does not have. */
  const notShipped = ['docs/architecture.md', 'docs/desktop.md', 'CONTRIBUTING.md']
  /** Of a page, the heading of llms.txt above its link. */
  const listed = new Map(
    readSource({ file: 'llms.txt' })
      .split(/^## /m)
      .slice(1)
      .flatMap((section) => [...section.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => [file, section.split('\n')[0]])),
  )

  test('llms.txt lists each page under its kind', () => {
    const pages = sources.filter(({ file, group }) => group !== 'Packages' && !/^docs\/spec\/|^README/.test(file))
    expect(pages.length).toBeGreaterThan(20)
    for (const { file, group } of pages)
      expect(listed.get(file), file).toBe(notShipped.includes(file) ? undefined : group)
  })

  test('there are four kinds', () => {
    expect([...new Set(listed.values())]).toEqual(['Tutorials', 'How-to', 'Explanation', 'Reference'])
  })
})

describe('plots', () => {
  const drawn = (file: string, text = withDataTables(readSource({ file }))) =>
    [...figuresOf(file, parseMarkdown(text)).values()].join('\n')

  test('every system of the tables with a figure is in the plots, with the figure of the table', () => {
    const file = 'docs/benchmarks.md'
    const tokens = parseMarkdown(readSource({ file }))
    const tables = tokens.flatMap(({ type }, i) => (type === 'table_open' ? [tableAt(tokens, i)] : []))
    const compared = tables.filter(({ head }) => head.includes('hybrid') && head.includes('vectors'))
    expect(compared).toHaveLength(2)
    const svg = drawn(file)
    for (const table of compared)
      for (const cells of table.rows)
        for (const name of ['words', 'vectors', 'hybrid']) {
          const cell = cells[column(table, name)]!
          if (numbersOf(cell).length === 2) expect(svg, `${cells[0]} ${name}`).toContain(`>${cell}</text>`)
        }
  })

  test('the faults of the reliability page are in its plot', () => {
    const rows = readSource({ file: 'docs/reliability.md' }).match(/\(T\d+\)\s+\|/g) ?? []
    expect(rows.length).toBeGreaterThan(8)
    expect(drawn('docs/reliability.md').match(/class="fault"/g)).toHaveLength(rows.length)
  })

  test('a panel has at most six series', () => {
    const panel = (count: number) => ({
      title: 'many',
      scale: 'linear' as const,
      ticks: [0, 1],
      series: Array.from({ length: count }, (_, i) => ({ name: `s${i}`, look: 'peer' as const })),
      rows: [{ name: 'row', marks: Array.from({ length: count }, () => ({ at: 0.5 })), label: '1' }],
    })
    expect(panelSvg(panel(6))).toContain('s5')
    expect(() => panelSvg(panel(7))).toThrow('at most six series')
  })

  test('control: a renamed column and a lost table stop the build', () => {
    const text = withDataTables(readSource({ file: 'docs/benchmarks.md' }))
    expect(() => drawn('docs/benchmarks.md', text.replaceAll('words only', 'just words'))).toThrow('no column')
    expect(() => drawn('docs/benchmarks.md', text.replace('### Compared with', '### Next to'))).toThrow('has no table')
  })
})
