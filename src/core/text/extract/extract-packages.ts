/**
 * Extracts package names: those that a tool reports as missing, built or installed, and npm's scoped names anywhere.
 */

import type { Found } from './extract-found.ts'
import { hasFileEnding } from './extract-paths.ts'
import { isPluginRule } from './extract-symbols.ts'

/** The package names of a text; of `lodash/fp` only `lodash`. */
export function* findPackages(text: string): Iterable<Found> {
  for (const { sign, pattern } of sentences) {
    if (!text.includes(sign)) continue
    for (const match of text.matchAll(pattern)) {
      const name = packageOf(match[1]!)
      if (name !== undefined) yield { term: name, at: match.index + match[0].indexOf(match[1]!) }
    }
  }
  if (text.includes('@')) yield* scopedNames(text)
  if (/ (?:install|add|i|get) /.test(text)) yield* installed(text)
}

/** `sign` is part of every match of the pattern, and is fast to search for. */
const sentences: readonly { readonly sign: string; readonly pattern: RegExp }[] = [
  { sign: 'No module named', pattern: /No module named ['"`]?([\w.]{1,200})/g },
  { sign: 'annot find', pattern: /[Cc]annot find (?:module|package) ['"`]([^'"`\n]{1,214})['"`]/g },
  {
    sign: ' resolve ',
    pattern:
      /(?:[Cc]ould not|[Cc]annot|[Cc]an't|[Ff]ailed to|[Uu]nable to) resolve (?:import |module |dependency:? |package )?['"`]([^'"`\n]{1,214})['"`]/g,
  },
  { sign: 'No matching distribution', pattern: /No matching distribution found for ([\w.-]{1,100})/g },
  { sign: 'the requirement', pattern: /satisfies the requirement ([\w.-]{1,100})/g },
  { sign: 'find crate', pattern: /can't find crate for [`'"]([\w-]{1,64})/g },
  { sign: 'package named', pattern: /no matching package named [`'"]([\w-]{1,64})/g },
  { sign: 'unresolved import', pattern: /unresolved import [`'"]([a-z][\w-]{0,63})/g },
  { sign: 'undeclared crate', pattern: /undeclared crate or module [`'"]([\w-]{1,64})/g },
  { sign: 'crate ', pattern: /(?<!\w)crate [`'"]([\w-]{1,64})[`'"]/g },
  {
    sign: 'ing ',
    pattern:
      /^[ \t]{0,20}(?:Compiling|Checking|Downloading|Adding|Updating|Removing|Installing|Documenting) ([\w-]{1,64}) v\d/gm,
  },
  { sign: ' v', pattern: /^[ \t]{0,20}(?:Downloaded|Installed|Fresh) ([\w-]{1,64}) v\d/gm },
  { sign: 'provides package', pattern: /no required module provides package ([\w./~-]{1,200})/g },
  {
    sign: 'node_modules',
    pattern: /(?<=node_modules[/\\])((?:@[\w.-]{1,100}[/\\])?[\w-][\w.-]{0,100})(?=[/\\])/g,
  },
]

function* scopedNames(text: string): Iterable<Found> {
  for (const match of text.matchAll(scopedName)) {
    const name = match[0].replace(/[.-]+$/, '')
    if (!isPluginRule(name)) yield { term: name, at: match.index }
  }
}

const scopedName = /(?<![\w@/.])@[a-z0-9][\w.-]{0,100}\/[a-z0-9][\w.-]{0,100}/g

/** The package of an imported module; none for relative paths, aliases and Rust's own words. */
function packageOf(asked: string): string | undefined {
  const name = asked
    .trim()
    .replaceAll('\\', '/')
    .replace(/[.,:;]+$/, '')
  if (name === '' || /^[./~#]|^@\/|^[A-Za-z]:\/|\s/.test(name) || /^(?:crate|self|super|std|core|alloc)$/.test(name))
    return undefined
  const [first, second] = name.split('/') as [string, string?]
  if (name.startsWith('@')) return second === undefined ? undefined : `${first}/${second}`
  // Go's packages are addresses and are kept whole.
  return first.includes('.') && second !== undefined ? name : first
}

/** `npm install a b@2`, `pip install a==1`, `cargo add a`. */
function* installed(text: string): Iterable<Found> {
  for (const match of text.matchAll(installing)) {
    let at = match.index + match[0].length - match[1]!.length
    for (const word of match[1]!.split(' ')) {
      const name = /^(?:@[\w.-]{1,100}\/)?[A-Za-z0-9_][\w./-]{0,100}/.exec(word)?.[0]
      if (name !== undefined && !hasFileEnding(name) && /^(?:@|\d+\.\d|[=<>~!^[]|$)/.test(word.slice(name.length))) {
        yield { term: name.replace(/[.-]+$/, ''), at }
      }
      at += word.length + 1
    }
  }
}

const installing =
  /(?<![\w-])(?:npm (?:install|i|add)|pnpm (?:add|install)|yarn add|bun add|pip3? install|uv (?:add|pip install)|poetry add|cargo (?:add|install)|go get|gem install|brew install|apt(?:-get)? install)((?: [^\s;&|`'")]{1,214}){1,20})/g
