/** Reads Markdown for the documentation tests: fenced code, links, anchors, programs made of blocks. */

export interface CodeBlock {
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  /** The text after the language: `no-run: why`. */
  readonly note: string
  readonly code: string
}

/** A block that imports begins a program; another block continues the last one that runs. */
export interface Program {
  /** The file and the line of its first block, for messages. */
  readonly name: string
  readonly extension: 'ts' | 'tsx' | 'js'
  readonly code: string
  /** Why it is only type-checked; null for one that runs. */
  readonly noRun: string | null
}

const fence = /^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```[ \t]*$/gm

export function blocksOf(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(fence)].map((match) => ({
    line: markdown.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    note: (match[2] ?? '').trim(),
    code: match[3] ?? '',
  }))
}

export function programsOf(path: string, markdown: string): readonly Program[] {
  const programs: Program[] = []
  for (const { line, language, note, code } of blocksOf(markdown)) {
    if (!isCode(language)) continue
    const before = programs.findLastIndex(({ noRun }) => noRun === null)
    const last = programs[before]
    if (last === undefined || note !== '' || /^import /m.test(code))
      programs.push({ name: `${path}:${line}`, extension: language, code, noRun: noRunOf(note) })
    else programs[before] = { ...last, code: `${last.code}\n${code}` }
  }
  return programs
}

function isCode(language: string): language is Program['extension'] {
  return language === 'ts' || language === 'tsx' || language === 'js'
}

function noRunOf(note: string): string | null {
  return note === '' ? null : (/^no-run: (.+)$/.exec(note)?.[1] ?? '')
}

/** The expected output of a program: the comments `// → …`, in order. */
export function expectedOutput(code: string): readonly string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text!.trim())
}

/** Targets of links and images outside of code. */
export function linksOf(markdown: string): readonly string[] {
  const text = markdown.replace(fence, '').replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
}

/** Anchors of headings, as code hosts make them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.replace(fence, '').matchAll(/^#{1,6} +(.+)$/gm)
  return new Set(
    [...headings].map(([, text]) =>
      text!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}
