/** Reads docs/laws.md and test/laws.md: the laws, their reasons, and the test files of each. */

export interface Laws {
  /** Ids of the headings, in their order. */
  readonly laws: readonly string[]
  readonly planned: readonly string[]
  readonly withoutReason: readonly string[]
  /** The files of each line under Tests. */
  readonly files: ReadonlyMap<string, readonly string[]>
}

export function parseLaws(markdown: string): Laws {
  const laws: string[] = []
  const planned: string[] = []
  const withoutReason: string[] = []
  const sections = new Map(markdown.split(/^## /m).map((section) => [section.split('\n')[0] ?? '', section]))
  for (const [name, section] of sections) {
    for (const law of section.split(/^### /m).slice(1)) {
      const [id = ''] = law.split(' ')
      ;(name === 'Planned' ? planned : laws).push(id)
      if (name !== 'Planned' && !/^Why: /m.test(law)) withoutReason.push(id)
    }
  }
  const lines = (sections.get('Tests') ?? '').matchAll(/^- \*\*([A-Z]\d+)\*\* (.*)$/gm)
  const files = new Map([...lines].map(([, id = '', text = '']) => [id, pathsNamed(text)]))
  return { laws, planned, withoutReason, files }
}

/** Whether one of the texts quotes the id outside of comments. */
export function isQuoted(id: string, texts: Iterable<string>): boolean {
  for (const text of texts) {
    if (!text.includes(`[${id}]`)) continue
    if (text.split('\n').some((line) => line.includes(`[${id}]`) && !/^\s*(?:\/\/|\/?\*)/.test(line))) return true
  }
  return false
}

/** Paths of the repository in code spans, links and link definitions, once each; `src/{a,b}.ts` names two. */
export function pathsNamed(markdown: string): readonly string[] {
  const spans = [...markdown.matchAll(/`((?:src|worker|demo|test|docs|\.ci)\/[\w./{},-]*)`/g)].flatMap(
    ([, path = '']) => expanded(path),
  )
  const links = [...markdown.matchAll(/\]\(\.\.\/([\w./-]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path)
  const references = [...markdown.matchAll(/^\[[\w-]+\]: \.\.\/([\w./-]+)$/gm)].map(([, path = '']) => path)
  return [...new Set([...spans, ...links, ...references])]
}

function expanded(path: string): readonly string[] {
  const [, start = '', names, end = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? []
  return names === undefined ? [path] : names.split(',').map((name) => `${start}${name}${end}`)
}
