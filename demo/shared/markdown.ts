/**
 * Makes a Markdown parser for text that a page must not trust: markup is shown as text, script addresses do not become
 * links, and images become links, so the text can make the page neither run nor load anything.
 */
import MarkdownIt, { type Token } from 'markdown-it'

export function safeMarkdown(): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  markdown.core.ruler.push('for-this-page', ({ tokens }) => {
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) adapt(token)
  })
  markdown.renderer.rules['image'] = (tokens, at, _options, _env, self) => {
    const token = tokens[at]
    const source = String(token?.attrGet('src') ?? '')
    const name = token?.content || source
    const { escapeHtml } = markdown.utils
    return token === undefined
      ? self.renderToken(tokens, at, _options)
      : `<a href="${escapeHtml(source)}" target="_blank" rel="noreferrer">${escapeHtml(name)}</a>`
  }
  return markdown
}

/** Lowers headings below those of the page; replaces inline styles of table columns, which the security policy blocks. */
function adapt(token: Token): void {
  if (token.type === 'heading_open' || token.type === 'heading_close')
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`
  const style = token.attrGet('style')
  if (style !== null) token.attrs = [['class', `to-${String(style).split(':')[1] ?? 'start'}`]]
  if (token.type === 'link_open' && !String(token.attrGet('href') ?? '').startsWith('#')) {
    token.attrSet('target', '_blank')
    token.attrSet('rel', 'noreferrer')
  }
}
