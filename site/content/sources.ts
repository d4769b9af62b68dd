/** Lists the pages of the site: which Markdown file each one shows, its address, and its place in the navigation. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Source {
  /** In the repository: `docs/api.md`. */
  readonly file: string
  /** In the site: `docs/api.html`. */
  readonly path: string
  /** In the navigation. */
  readonly name: string
  readonly group: Group
}

export const groups = ['Start', 'Guides', 'Evidence', 'Reference', 'Packages', 'Project'] as const
export type Group = (typeof groups)[number]

/** Every `docs/*.md` is a page; the other files of that folder are not. */
const docs: Readonly<Record<string, readonly [Group, string]>> = {
  'web-agents': ['Guides', 'Agents and token budgets'],
  'notes-pwa': ['Guides', 'Offline notes'],
  'extension-sidebars': ['Guides', 'Browser extensions'],
  frameworks: ['Guides', 'Frameworks'],
  bundlers: ['Guides', 'Bundlers and hosts'],
  mcp: ['Guides', 'MCP and command line'],
  'node-file': ['Guides', 'Files in Node'],
  replicate: ['Guides', 'Several devices'],
  backup: ['Guides', 'Backup and maintenance'],
  browsing: ['Guides', 'Lists and counts'],
  policies: ['Guides', 'Policies'],
  migrating: ['Guides', 'Migrating'],
  benchmarks: ['Evidence', 'Benchmarks'],
  quality: ['Evidence', 'Ranking quality'],
  reliability: ['Evidence', 'Reliability'],
  api: ['Reference', 'API'],
  spec: ['Reference', 'Specification'],
  laws: ['Reference', 'Laws'],
  architecture: ['Project', 'Architecture'],
}

const others: readonly Source[] = [
  { file: 'SECURITY.md', path: 'docs/security.html', name: 'Security', group: 'Reference' },
  { file: 'CHANGELOG.md', path: 'docs/changelog.html', name: 'Changelog', group: 'Project' },
  { file: 'CONTRIBUTING.md', path: 'docs/contributing.html', name: 'Contributing', group: 'Project' },
]

const home: Source = { file: 'README.md', path: 'index.html', name: 'Scrubjay', group: 'Start' }

/** In the order of the navigation. Pages that no list names come last in their group, so a new one is never missing. */
export const sources: readonly Source[] = [home, ...listedDocs(), ...packageReadmes(), ...others].toSorted(
  (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group),
)

export const sourceOf = new Map(sources.map((source) => [source.file, source]))

export function readSource({ file }: Pick<Source, 'file'>): string {
  return readFileSync(`${root}${file}`, 'utf8')
}

function listedDocs(): readonly Source[] {
  const order = Object.keys(docs)
  const names = readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return names
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((name) => {
      const [group, title] = docs[name] ?? ['Guides', headingOf(`docs/${name}.md`)]
      return { file: `docs/${name}.md`, path: `docs/${name}.html`, name: title, group } as const
    })
}

/** The READMEs that the package contains; those of the engine's inside are linked to the repository. */
function packageReadmes(): readonly Source[] {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly exports: object }
  const entries = new Set(Object.keys(exports).map((entry) => entry.replace('./', '')))
  return readdirSync(`${root}src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entries.has(entry.name))
    .filter(({ name }) => readdirSync(`${root}src/${name}`).includes('README.md'))
    .map(({ name }) => ({
      file: `src/${name}/README.md`,
      path: `packages/${name}.html`,
      name: `scrubjay/${name}`,
      group: 'Packages',
    }))
}

function headingOf(file: string): string {
  return /^# (.+)$/m.exec(readSource({ file }))?.[1] ?? file
}
