/** Wraps the content of a page: head, header with search, navigation, contents of the page, footer. */
import { escapeHtml, type Heading, repository } from '../content/markdown.ts'
import { groups, type Source, sources } from '../content/sources.ts'

export interface PageContent {
  /** In the site: `docs/api.html`. */
  readonly path: string
  readonly title: string
  readonly description: string
  readonly body: string
  /** `docs` pages have navigation and contents at their sides, `wide` pages have neither. */
  readonly shape: 'docs' | 'wide'
  readonly headings?: readonly Heading[]
  /** The Markdown file of the page. */
  readonly file?: string
  /** Names of further scripts of the build. */
  readonly scripts?: readonly string[]
}

export interface Assets {
  /** Addresses by name of the entry, relative to the root of the site. */
  readonly scripts: Readonly<Record<string, string>>
  readonly styles: readonly string[]
}

const top: readonly (readonly [path: string, name: string])[] = [
  ['docs/index.html', 'Docs'],
  ['playground.html', 'Playground'],
  ['demo.html', 'Demo'],
  ['docs/benchmarks.html', 'Benchmarks'],
  ['docs/reliability.html', 'Reliability'],
]

export function layout(page: PageContent, assets: Assets, policy: string): string {
  const prefix = '../'.repeat(page.path.split('/').length - 1)
  const scripts = ['main', ...(page.scripts ?? [])].map(
    (name) => `<script type="module" src="${prefix}${assets.scripts[name]}"></script>`,
  )
  const styles = assets.styles.map((path) => `<link rel="stylesheet" href="${prefix}${path}" />`)
  return `<!doctype html>
<html lang="en" data-root="${prefix === '' ? './' : prefix}">
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${escapeHtml(page.description)}" />
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="${prefix}scrubjay.svg" type="image/svg+xml" />
${[...styles, ...scripts].join('\n')}
</head>
<body data-shape="${page.shape}">
<a class="skip" href="#main">Skip to the text</a>
${header(page, prefix)}
<div class="page">
${page.shape === 'docs' ? navigation(page, prefix) : ''}
<main id="main" tabindex="-1">
${page.body}
${page.file === undefined ? '' : ending(page, prefix)}
</main>
${page.shape === 'docs' ? contents(page.headings ?? []) : ''}
</div>
<footer class="footer"><p>MIT licence · <a href="${repository}">Source</a> · <a href="${prefix}docs/changelog.html">Changelog</a> · This site sends no data anywhere. Its search runs in your browser.</p></footer>
<p class="hidden" id="live" role="status" aria-live="polite"></p>
</body>
</html>
`
}

function header({ path }: PageContent, prefix: string): string {
  const isDocs = path.startsWith('docs/') || path.startsWith('packages/')
  const hasOwn = top.some(([target, name]) => name !== 'Docs' && target === path)
  const links = top.map(([target, name]) => {
    const isHere = name === 'Docs' ? isDocs && !hasOwn : target === path
    return `<a href="${prefix}${target}"${isHere ? ' aria-current="true"' : ''}>${name}</a>`
  })
  return `<header class="top">
<a class="brand" href="${prefix}index.html"><img src="${prefix}scrubjay.svg" alt="" width="28" height="28" />Scrubjay</a>
<nav class="main-links" aria-label="Main">${links.join('')}</nav>
<button type="button" class="open-search" id="open-search" aria-keyshortcuts="/ Control+K"><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5" /><path d="m13 13 5 5" /></svg><span>Search</span><kbd aria-hidden="true">/</kbd></button>
</header>`
}

function navigation({ path }: PageContent, prefix: string): string {
  const lists = groups
    .map(
      (group) => [group, sources.filter((source) => source.group === group && source.path !== 'index.html')] as const,
    )
    .filter(([, members]) => members.length > 0)
    .map(
      ([group, members]) =>
        `<li><p>${group}</p><ul>${members.map((one) => entry(one, path, prefix)).join('')}</ul></li>`,
    )
  // Open without a script; the script closes it on narrow screens.
  return `<details class="side" open><summary>All pages</summary><nav aria-label="Pages"><ul>${lists.join('')}</ul></nav></details>`
}

function entry(source: Source, path: string, prefix: string): string {
  const here = source.path === path ? ' aria-current="page"' : ''
  return `<li><a href="${prefix}${source.path}"${here}>${escapeHtml(source.name)}</a></li>`
}

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return '<div></div>'
  const links = shown.map(
    ({ level, text, anchor }) => `<li data-level="${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
}

function ending({ path, file }: PageContent, prefix: string): string {
  // The list of all pages has no place among them, and leads to the first guide.
  const i = Math.max(
    0,
    sources.findIndex((source) => source.path === path),
  )
  const link = (source: Source | undefined, name: string) =>
    source === undefined
      ? '<span></span>'
      : `<a class="${name}" href="${prefix}${source.path}"><small>${name === 'next' ? 'Next' : 'Previous'}</small>${escapeHtml(source.name)}</a>`
  return `<nav class="ending" aria-label="Next pages">${link(i === 0 ? undefined : sources[i - 1], 'previous')}${link(sources[i + 1], 'next')}</nav>
<p class="quiet"><a href="${repository}/blob/main/${file}">Source of this page</a></p>`
}
