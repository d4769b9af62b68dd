/** Finds the note that a link means: by its path, then by its name, the shortest path first, then by a title or another name. */
import { fileId, type SourceFile, stemOf } from '../reading/reader.ts'
import { namesIn } from './front-matter.ts'

export interface Links {
  add(file: SourceFile, beginning: string): void
  resolve(link: string, from: SourceFile): string | null
}

interface Target {
  readonly path: string
  readonly id: string
}

export function createLinks(): Links {
  const byPath = new Map<string, Target>()
  const byName = new Map<string, Target>()
  const names: (readonly [string, Target])[] = []
  const byAlias = new Map<string, Target>()
  return {
    add(file, beginning) {
      const target = { path: file.path, id: fileId(file) }
      const path = keyOf(file.path.replace(/\.[^./]+$/, ''))
      byPath.set(path, target)
      // Logseq writes the `/` of a page's name as ___ or %2F.
      const stem = stemOf(file.path)
      for (const name of new Set([stem, unescaped(stem)])) keepNearer(byName, keyOf(name), target)
      names.push(...namesIn(beginning).map((name) => [keyOf(name), target] as const))
    },
    resolve(link, from) {
      if (names.length > 0) for (const [name, target] of names.splice(0)) keepNearer(byAlias, name, target)
      const plain = keyOf(link.replace(/\.(?:md|markdown|mdx)$/i, ''))
      const folder = from.path.includes('/') ? keyOf(from.path.slice(0, from.path.lastIndexOf('/'))) : ''
      const found =
        byPath.get(joined(folder, plain)) ??
        byPath.get(joined('', plain)) ??
        byName.get(plain) ??
        byAlias.get(plain) ??
        (plain.includes('/') ? byName.get(plain.slice(plain.lastIndexOf('/') + 1)) : undefined)
      return found?.id ?? null
    },
  }
}

/** Of several notes with one name, the one with the shortest path; of equal lengths, the first by code points. */
function keepNearer(targets: Map<string, Target>, name: string, target: Target): void {
  const known = targets.get(name)
  const isNearer =
    known === undefined ||
    target.path.length < known.path.length ||
    (target.path.length === known.path.length && target.path < known.path)
  if (isNearer) targets.set(name, target)
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase().trim()
}

export function unescaped(name: string): string {
  const slashed = name.replaceAll('___', '/')
  try {
    return decodeURIComponent(slashed)
  } catch {
    return slashed
  }
}

/** A path below a folder; `..` goes up, and a path that would leave the root finds nothing. */
function joined(folder: string, path: string): string {
  const parts = folder === '' || path.startsWith('/') ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return '\0'
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
