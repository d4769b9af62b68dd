/** Makes a page of the documentation from its Markdown file, with plots of its tables. */
import { figuresOf } from '../plots/figures.ts'
import type { PageContent } from './layout.ts'
import { parseMarkdown, plainText, renderTokens, type Tokens } from '../content/markdown.ts'
import { withDataTables } from '../content/data-tables.ts'
import { readSource, type Source } from '../content/sources.ts'

export function docsPage(source: Source): PageContent {
  const tokens = parseMarkdown(withDataTables(readSource(source)))
  const figures = figuresOf(source.file, tokens)
  const prefix = '../'.repeat(source.path.split('/').length - 1)
  const { html, headings } = renderTokens(tokens, source.file, prefix, (_, i) => figures.get(i) ?? '')
  return {
    path: source.path,
    title: `${source.name} · Scrubjay`,
    description: descriptionOf(tokens),
    body: `<article class="prose">${html}</article>`,
    shape: 'docs',
    headings,
    file: source.file,
  }
}

/** The first page of the documentation: the list of pages that `llms.txt` has, each with what it is for. */
export function docsIndex(): PageContent {
  const file = 'llms.txt'
  const text = readSource({ file })
  const start = text.indexOf('## Tutorials')
  if (start === -1) throw new Error('llms.txt has no heading “Tutorials”, at which the list of pages begins.')
  const { html, headings } = renderTokens(parseMarkdown(text.slice(start)), file, '../')
  const path = 'docs/index.html'
  return {
    path,
    title: 'Documentation · Scrubjay',
    description: 'Tutorials, how-to guides, explanation and reference of Scrubjay, each with what it is for.',
    body: `<article class="prose"><h1>Documentation</h1>
<p>New here? Begin with <a href="../index.html#install">ten lines of code</a>, or change things in the <a href="../playground.html">playground</a>. Press <kbd>/</kbd> to search all pages.</p>
${html}</article>`,
    shape: 'docs',
    headings,
    file,
  }
}

/** The first paragraph, cut after a sentence. */
function descriptionOf(tokens: Tokens): string {
  const start = tokens.findIndex(({ type }) => type === 'paragraph_open')
  const text = start === -1 ? '' : plainText(tokens[start + 1]!)
  return text.length <= 160 ? text : `${text.slice(0, 160).replace(/\s\S*$/, '')} …`
}
