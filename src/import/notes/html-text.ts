/** The readable text of HTML: paragraphs, headings, lists, tables and code, without menus, scripts and hidden parts. */
import type { AnyNode, Document, Element } from 'domhandler'
import { mostDepth, html as parser } from '../reading/parsers.ts'

export interface HtmlText {
  readonly title: string | null
  readonly text: string
  /** Of the page: its own time of publication, and its address; null without one. */
  readonly published: string | null
  readonly address: string | null
}

export async function readHtml(html: string): Promise<HtmlText> {
  const document = await parseHtml(html)
  const found = walk(document)
  const meta = (names: readonly string[]) =>
    names.flatMap((name) => found.metas.filter((one) => one.name === name).map(({ content }) => content))[0] ?? null
  const main = largest(found.mains)
  // A page may have its menus in `main` and its text outside.
  const place = main !== null && rawLength(main) * 3 > rawLength(document) ? main : document
  const text = textOf(place)
  const title = meta(['og:title']) ?? (found.title === null ? null : squeeze(found.title))
  return {
    title: title === '' ? null : title,
    text,
    published: meta(['article:published_time', 'date', 'dc.date', 'datepublished', 'created']),
    address: found.canonical ?? meta(['og:url']),
  }
}

/** A fragment, such as the answer of an assistant or the body of a mail. */
export async function textOfHtml(html: string): Promise<string> {
  return textOf(await parseHtml(html))
}

async function parseHtml(text: string): Promise<Document> {
  const { DomHandler, Parser } = await parser()
  const handler = new DomHandler()
  const open = handler.onopentag.bind(handler)
  const close = handler.onclosetag.bind(handler)
  let depth = 0
  handler.onopentag = (name, attributes) => {
    if (++depth > mostDepth) throw new Error(`nests elements deeper than ${mostDepth}`)
    open(name, attributes)
  }
  handler.onclosetag = () => {
    depth--
    close()
  }
  new Parser(handler, { decodeEntities: true }).end(text)
  return handler.root
}

interface Found {
  title: string | null
  canonical: string | null
  readonly metas: { readonly name: string; readonly content: string }[]
  readonly mains: Element[]
}

function walk(document: Document): Found {
  const found: Found = { title: null, canonical: null, metas: [], mains: [] }
  const waiting: AnyNode[] = [document]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('attribs' in node) {
      const { name, attribs } = node as Element
      if (name === 'title' && found.title === null) found.title = rawText(node)
      if (name === 'meta' && attribs['content'] !== undefined)
        found.metas.push({
          name: (attribs['property'] ?? attribs['name'] ?? '').toLowerCase(),
          content: attribs['content'],
        })
      if (name === 'link' && attribs['rel'] === 'canonical') found.canonical ??= attribs['href'] ?? null
      if (name === 'main' || name === 'article' || attribs['role'] === 'main') found.mains.push(node as Element)
    }
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!)
  }
  return found
}

const largest = (elements: readonly Element[]) =>
  elements.reduce<Element | null>((best, one) => (best === null || rawLength(one) > rawLength(best) ? one : best), null)

const dropped = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'nav',
  'aside',
  'form',
  'button',
  'select',
  'svg',
  'iframe',
  'object',
  'canvas',
  'footer',
  'dialog',
  'en-crypt',
]) // prettier-ignore
const blocks = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'blockquote',
  'figure',
  'figcaption',
  'ul',
  'ol',
  'dl',
  'dt',
  'dd',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'address',
  'details',
  'summary',
  'body',
  'html',
]) // prettier-ignore

/** Steps of a walk without recursion, because a hostile page nests its elements deeper than a stack. */
type Step = AnyNode | string

function textOf(root: AnyNode): string {
  const parts: string[] = []
  const steps: Step[] = [root]
  let pre = 0
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (typeof step === 'string') {
      if (step === 'end pre') pre--
      else parts.push(step)
      continue
    }
    if (step.type === 'text') {
      const isAtStart = parts.length === 0 || /\s$/.test(parts.at(-1)!)
      const text = pre > 0 ? step.data : step.data.replaceAll(/\s+/g, ' ').replace(isAtStart ? /^ / : /^$/, '')
      if (text !== '') parts.push(text)
      continue
    }
    if (!('children' in step)) continue
    const element = step as Element
    const name = element.name ?? ''
    if (dropped.has(name) || isHidden(element)) continue
    if (name === 'br') parts.push('\n')
    if (name === 'img' && (element.attribs['alt'] ?? '') !== '') parts.push(element.attribs['alt']!)
    const level = /^h([1-6])$/.exec(name)?.[1]
    const isBlock = blocks.has(name)
    // The text of a list item follows its mark.
    if (isBlock && pre === 0 && !isMark(parts.at(-1))) parts.push('\n\n')
    if (level !== undefined) parts.push(`${'#'.repeat(Number(level))} `)
    if (name === 'li') parts.push(`\n- ${boxOf(element)}`)
    if (name === 'tr') parts.push('\n')
    if (name === 'pre' || isCode(element)) {
      parts.push('\n\n```\n')
      pre++
      steps.push('\n```\n\n', 'end pre')
    }
    if (name === 'td' || name === 'th') steps.push(' | ')
    if (isBlock) steps.push(pre > 0 ? '\n' : '\n\n')
    for (let i = element.children.length - 1; i >= 0; i--) steps.push(element.children[i]!)
  }
  return parts
    .join('')
    .replaceAll(/[^\S\n]+(?=\n)/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/\n{1,2} \|/g, ' |')
    .trim()
}

const isMark = (part: string | undefined) => part !== undefined && /^\n- (?:\[[ x]\] )?$/.test(part)

/** Evernote writes code and boxes as styles. */
function isCode({ attribs = {} }: Partial<Element>): boolean {
  return /-en-codeblock:\s*true/.test(attribs['style'] ?? '')
}

function boxOf({ attribs }: Element): string {
  const found = /--en-checked:\s*(true|false)/.exec(attribs['style'] ?? '')
  return found === null ? '' : found[1] === 'true' ? '[x] ' : '[ ] '
}

function isHidden({ attribs = {} }: Partial<Element>): boolean {
  return (
    attribs['hidden'] !== undefined ||
    attribs['aria-hidden'] === 'true' ||
    /display:\s*none|visibility:\s*hidden/i.test(attribs['style'] ?? '')
  )
}

function rawText(root: AnyNode): string {
  const parts: string[] = []
  const waiting: AnyNode[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'text') parts.push(node.data)
    else if ('children' in node && !dropped.has((node as Element).name))
      for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!)
  }
  return parts.join('')
}

const rawLength = (root: AnyNode) => squeeze(rawText(root)).length
const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
