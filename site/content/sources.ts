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

export const groups = ['Start', 'Tutorials', 'How-to', 'Explanation', 'Reference', 'Packages'] as const
export type Group = (typeof groups)[number]

/** Places and names of pages. Others of `docs` are called by their heading, and come last in their group. */
const names: Readonly<Record<string, string>> = {
  'docs/web-agents.md': 'Agents and token budgets',
  'docs/notes-pwa.md': 'Offline notes',
  'docs/extension-sidebars.md': 'Browser extensions',
  'docs/frameworks.md': 'Frameworks',
  'docs/bundlers.md': 'Bundlers and hosts',
  'docs/mcp.md': 'MCP and command line',
  'docs/import.md': 'Import',
  'docs/node-file.md': 'Files in Node',
  'docs/replicate.md': 'Several devices',
  'docs/server.md': 'Servers',
  'docs/backup.md': 'Backup and maintenance',
  'docs/browsing.md': 'Lists and counts',
  'docs/policies.md': 'Policies',
  'docs/languages.md': 'Languages',
  'docs/migrating.md': 'Migrating',
  'docs/desktop.md': 'Electron and Obsidian',
  'CONTRIBUTING.md': 'Contributing',
  'docs/benchmarks.md': 'Benchmarks',
  'docs/quality.md': 'Ranking quality',
  'docs/reliability.md': 'Reliability',
  'SECURITY.md': 'Security',
  'docs/architecture.md': 'Architecture',
  'docs/api.md': 'API',
  'docs/spec.md': 'Specification',
}

const home: Source = { file: 'README.md', path: 'index.html', name: 'Scrubjay', group: 'Start' }

/** In the order of the navigation. */
export const sources: readonly Source[] = [home, ...listedPages(), ...packageReadmes()].toSorted(
  (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group),
)

export const sourceOf = new Map(sources.map((source) => [source.file, source]))

export function readSource({ file }: Pick<Source, 'file'>): string {
  return readFileSync(`${root}${file}`, 'utf8')
}

/** Every page of `docs` and `docs/spec`, and three of the root. The first line of each says of which kind it is. */
function listedPages(): readonly Source[] {
  const below = (folder: string) =>
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
  const order = Object.keys(names)
  const place = (file: string) => (order.includes(file) ? order.indexOf(file) : order.length)
  return ['SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...below('docs'), ...below('docs/spec')]
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((file) => ({
      file,
      path: `docs/${file
        .replace(/^docs\//, '')
        .toLowerCase()
        .replace(/\.md$/, '.html')}`,
      name: names[file] ?? headingOf(file),
      group: groupOf(file),
    }))
}

/** Of the line below the heading: `_How-to, for those who …_`. */
function groupOf(file: string): Group {
  const kind = /^# .+\n\n_(Tutorial|How-to|Explanation|Reference), for .+\._\n/.exec(readSource({ file }))?.[1]
  if (kind === undefined)
    throw new Error(`${file} must say below its heading of which kind it is, and for whom: _How-to, for those who …._`)
  return kind === 'Tutorial' ? 'Tutorials' : (kind as Group)
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
