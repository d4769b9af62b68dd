/**
 * Runs the documentation: each block of code, as a reader would paste it, against the sources, and compares what it
 * prints. Checks links, that pages show every method of a store in use, and that the package contains the pages it
 * links to.
 */
import { execFile } from 'node:child_process'
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatWithOptions, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { apiPage } from '../../../docs/generate/api.mjs'
import { root } from '../../support/install-package.ts'
import { anchorsOf, blocksOf, expectedOutput, linksOf, type Program, programsOf } from '../../support/markdown.ts'

const guides = (await readdir(join(root, 'docs'), { recursive: true }))
  .filter((name) => /^(?:spec\/)?[\w-]+\.md$/.test(name))
  .map((name) => `docs/${name}`)
/** Pages of the root and of docs/: their code runs. */
const pages = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...guides]
const texts = new Map(await Promise.all([...pages, 'llms.txt'].map(async (path) => [path, await read(path)] as const)))
const programs = pages.flatMap((path) => programsOf(path, texts.get(path)!))
const running = programs.filter(({ noRun }) => noRun === null)

/** Ignored by git, but inside the repository, so that programs find the installed packages. */
const folder = join(root, '.cache', `documentation-${process.pid}`)

let checked: Promise<string>

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  // What a browser offers to the page of an extension.
  await writeFile(join(folder, 'globals.d.ts'), 'declare const chrome: any\n')
  await Promise.all(programs.map((program) => writeFile(fileOf(program), onSources(program.code))))
  await writeFile(join(folder, 'wrong.ts'), onSources("import { openRecall } from 'scrubjay'\nopenRecall(5)\n"))
  // In a process of its own, while the other programs run in this one.
  checked = typeErrors()
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('code', () => {
  test.each(running)('$name runs and prints what it says', async (program) => {
    expect(await output(fileOf(program))).toEqual(expectedOutput(program.code))
  })

  test('control: other output than the page promises is found', async () => {
    const file = join(folder, 'control.ts')
    await writeFile(file, "console.log('one', [2]) // → two\n")
    expect(await output(file)).toEqual(['one [ 2 ]'])
    expect(expectedOutput(await readFile(file, 'utf8'))).toEqual(['two'])
  })

  test('blocks that do not run give a reason, and every block passes the type check', async () => {
    for (const { name, noRun } of programs) expect(noRun, name).not.toBe('')
    // Control: exactly the one planted error is found.
    expect(await checked).toMatch(/^wrong\.ts\(2,12\): error TS2559: [^\n]+\n$/)
  })

  test('a program that runs uses every method of a store', async () => {
    const used = running.map(({ code }) => code).join('\n')
    const methods = methodsOf(await read('src/client/api/recall.ts'))
    expect(methods.length).toBeGreaterThan(30)
    expect(methods.filter((name) => !new RegExp(`\\.${name}\\(`).test(used))).toEqual([])
  })
})

describe('pages', () => {
  test('docs/api.md is the output of its generator', async () => {
    expect(texts.get('docs/api.md')).toBe(await apiPage())
  })

  test('links lead to files and headings that exist', async () => {
    const checked = [...texts.keys(), ...(await folderReadmes())]
    const broken: string[] = []
    for (const path of checked) {
      const text = await read(path)
      for (const target of linksOf(text)) if (!(await isThere(path, target))) broken.push(`${path}: ${target}`)
    }
    expect(broken).toEqual([])
    expect(await isThere('README.md', 'docs/no-such-page.md')).toBe(false)
    expect(await isThere('README.md', '#no-such-heading')).toBe(false)
  })

  test('the package ships the files that its pages link to', async () => {
    const { files } = JSON.parse(await read('package.json')) as { readonly files: readonly string[] }
    const isShipped = (path: string) =>
      !files.includes(`!${path}`) &&
      (['README.md', 'LICENSE', 'package.json'].includes(path) ||
        files.some((shipped) => path === shipped || path.startsWith(`${shipped}/`) || isGlobOf(shipped, path)))
    const missing = [...texts].flatMap(([path, text]) =>
      !isShipped(path) ? [] : relativeTargets(path, text).filter((target) => !isShipped(target)),
    )
    // The registry shows pictures from the repository; the package has no room for them.
    expect(missing.filter((target) => !/^docs\/(pictures|plots)\/[a-z-]+\.(png|svg)$/.test(target))).toEqual([])
    // For readers who have the sources.
    expect([...texts.keys()].filter((path) => !isShipped(path))).toEqual([
      'CONTRIBUTING.md',
      'docs/architecture.md',
      'docs/desktop.md',
    ])
  })

  test('pages hold only blocks that are code, data or commands', () => {
    const languages = pages.flatMap((path) => blocksOf(texts.get(path)!).map(({ language }) => language))
    expect(
      languages.filter((language) => !['ts', 'tsx', 'js', 'json', 'sh', 'html', 'text'].includes(language)),
    ).toEqual([])
  })
})

const configuration = {
  extends: '../../test/tsconfig.json',
  compilerOptions: { jsx: 'react-jsx', noUnusedLocals: false, noUnusedParameters: false },
  include: ['./*.ts', './*.tsx'],
}

function read(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8')
}

function fileOf({ name, extension }: Program): string {
  return join(folder, `${name.replace(/[^a-z0-9]+/gi, '-')}.${extension}`)
}

/** Uses the sources instead of the built package, so that neither runs nor type checks see an outdated build. */
function onSources(code: string): string {
  const imports = /(\bfrom |\bimport\()'scrubjay(?:\/([a-z-]+))?'/g
  const whole = code.replace(imports, (_, lead: string, entry: string | undefined) => {
    return `${lead}'../../src/${entry === undefined ? '' : `${entry}/`}index.ts'`
  })
  return /^(?:import|export) /m.test(whole) ? whole : `${whole}\nexport {}\n`
}

/** Lines the program prints; the module is imported, so it runs once. */
async function output(file: string): Promise<string[]> {
  const lines: string[] = []
  const print = vi.spyOn(console, 'log').mockImplementation((...values) => {
    lines.push(...formatWithOptions({ breakLength: Infinity, colors: false }, ...values).split('\n'))
  })
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href)
  } finally {
    print.mockRestore()
  }
  return lines
}

/** The compiler's messages, '' for none. */
async function typeErrors(): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return promisify(execFile)(process.execPath, [tsc, '-p', folder], { cwd: folder }).then(
    () => '',
    (error: { readonly stdout?: string }) => error.stdout ?? String(error),
  )
}

function methodsOf(source: string): readonly string[] {
  const body = /^export interface Recall extends RecallLocks \{$([\s\S]*?)^\}$/m.exec(source)?.[1] ?? ''
  return [...new Set([...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name!))]
}

/** READMEs of folders: their links are checked, their code is not run. */
async function folderReadmes(): Promise<readonly string[]> {
  const lists = await Promise.all(
    ['src', 'worker', 'demo', 'site', 'test'].map(async (name) =>
      (await readdir(join(root, name), { recursive: true })).map((path) => `${name}/${path}`),
    ),
  )
  return lists.flat().filter((path) => path.endsWith('/README.md'))
}

function isAbsolute(target: string): boolean {
  return /^[a-z]+:/.test(target)
}

function relativeTargets(path: string, text: string): readonly string[] {
  return linksOf(text)
    .filter((target) => !isAbsolute(target) && !target.startsWith('#'))
    .map((target) => fileOfLink(path, target))
}

function fileOfLink(path: string, target: string): string {
  const [file = ''] = target.split('#')
  return file === '' ? path : relative(root, normalize(join(root, dirname(path), file)))
}

async function isThere(path: string, target: string): Promise<boolean> {
  if (isAbsolute(target)) return true
  const file = fileOfLink(path, target)
  const anchor = target.split('#')[1]
  try {
    await access(join(root, file))
    return anchor === undefined || anchorsOf(await read(file)).has(anchor)
  } catch {
    return false
  }
}

/** Supports the one kind of pattern in `files`: `folder/*.md`. */
function isGlobOf(pattern: string, path: string): boolean {
  const [start, end] = pattern.split('*')
  if (start === undefined || end === undefined) return false
  return path.startsWith(start) && path.endsWith(end) && !path.slice(start.length, -end.length).includes('/')
}
