/**
 * The files of a path in Node, in the order of their names, as .gitignore has it. Links are not followed, so that nothing outside of the folder
 * is read and no loop is walked.
 */
import type { Ignore } from 'ignore'
import { recallError } from '../../core/model/errors.ts'
import { type Left, left, type SourceFile } from '../reading/reader.ts'
import { isPrivate } from './safe-path.ts'

/** A file or folder that .gitignore, or its name, excludes. */
export interface Ignored {
  readonly ignored: string
}

interface Found {
  readonly name: string
  isDirectory(): boolean
  isFile(): boolean
  isSymbolicLink(): boolean
}

/** The members of `node:fs/promises`, `node:fs` and `node:path` that are used. A bundle for browsers has no import of them. */
interface NodeFiles {
  readdir(path: string, options: { withFileTypes: true }): Promise<Found[]>
  readFile(path: string, encoding: 'utf8'): Promise<string>
  lstat(path: string): Promise<{ size: number; mtimeMs: number; isDirectory(): boolean; isFile(): boolean }>
  stat(path: string): Promise<{ size: number; mtimeMs: number; isDirectory(): boolean; isFile(): boolean }>
  createReadStream(path: string): AsyncIterable<Uint8Array>
  readFileSync(path: string): Uint8Array
  resolve(path: string): string
  basename(path: string): string
}

export async function* filesAt(given: string): AsyncIterable<SourceFile | Left | Ignored> {
  const node = nodeFiles(given)
  const path = node.resolve(given)
  const found = await node.stat(path).catch(() => null)
  if (found === null) {
    throw recallError('INVALID_ARGUMENT', 'must be a file or folder that exists', {
      field: 'path',
      value: given,
      hint: 'Check the path.',
    })
  }
  const root = node.basename(path)
  if (found.isDirectory()) yield* folderFiles(node, path, '', root, [])
  else yield fileOf(node, path, root, null, found)
}

interface Rules {
  readonly folder: string
  readonly ignore: Ignore
}

async function* folderFiles(
  node: NodeFiles,
  base: string,
  folder: string,
  root: string,
  outer: readonly Rules[],
): AsyncIterable<SourceFile | Left | Ignored> {
  const absolute = folder === '' ? base : `${base}/${folder}`
  const members = await node.readdir(absolute, { withFileTypes: true }).catch((error: NodeError) => error)
  if (!Array.isArray(members)) {
    yield left('unreadable', folder, `cannot be listed (${members.code})`)
    return
  }
  members.sort((a, b) => (a.name < b.name ? -1 : 1))
  const rules = members.some(({ name }) => name === '.gitignore')
    ? [...outer, { folder, ignore: await rulesOf(node, `${absolute}/.gitignore`) }]
    : outer
  for (const member of members) {
    const path = folder === '' ? member.name : `${folder}/${member.name}`
    const isFolder = member.isDirectory()
    if (isPrivate(member.name) || isIgnored(path, isFolder, rules)) yield { ignored: path }
    else if (member.isSymbolicLink()) yield left('link', path, 'is a link; links are not followed')
    else if (isFolder) yield* folderFiles(node, base, path, root, rules)
    else if (member.isFile()) {
      const found = await node.lstat(`${base}/${path}`).catch((error: NodeError) => error)
      if ('code' in found) yield left('unreadable', path, `cannot be read (${found.code})`)
      else yield fileOf(node, `${base}/${path}`, path, root, found)
    } else yield left('unreadable', path, 'must be a file, not a socket, a pipe or a device')
  }
}

function fileOf(
  node: NodeFiles,
  absolute: string,
  path: string,
  root: string | null,
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
): SourceFile {
  // Four calls of a stream per note would wait for threads longer than the disk takes.
  const bytes = () => (size <= mostAtOnce ? once(() => node.readFileSync(absolute)) : node.createReadStream(absolute))
  return { path, root, size, modifiedMs: Math.floor(mtimeMs), bytes }
}

const mostAtOnce = 262_144

async function* once(read: () => Uint8Array): AsyncIterable<Uint8Array> {
  yield read()
}

async function rulesOf(node: NodeFiles, path: string): Promise<Ignore> {
  const { default: createRules } = await import('ignore')
  return (createRules as unknown as () => Ignore)().add(await node.readFile(path, 'utf8').catch(() => ''))
}

/** The rules of inner folders win, as in git. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  let isOut = false
  for (const { folder, ignore } of rules) {
    const below = folder === '' ? path : path.slice(folder.length + 1)
    const { ignored, unignored } = ignore.test(isFolder ? `${below}/` : below)
    if (ignored) isOut = true
    else if (unignored) isOut = false
  }
  return isOut
}

type NodeError = Error & { readonly code: string }

function nodeFiles(path: string): NodeFiles {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => Record<string, unknown> } }
  if (process?.getBuiltinModule === undefined) {
    throw recallError('INVALID_ARGUMENT', 'must be files, because a page can read no paths', {
      field: 'files',
      value: path,
      hint: 'Give the File objects of an <input type="file"> or of a drop.',
    })
  }
  const open = (name: string) => process.getBuiltinModule!(name)
  return {
    ...open('node:path'),
    ...open('node:fs/promises'),
    createReadStream: open('node:fs')['createReadStream'],
    readFileSync: open('node:fs')['readFileSync'],
  } as unknown as NodeFiles
}
