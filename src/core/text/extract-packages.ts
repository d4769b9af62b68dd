/**
 * Packages: those a tool says it cannot find or has just built or installed, and npm's scoped names anywhere.
 */

import type { Found } from './extract.ts'
import { isPluginRule } from './extract-symbols.ts'

/** Package names of a text; of an npm name with a path inside it (`lodash/fp`) the package alone. */
export function* findPackages(text: string): Iterable<Found> {
  for (const pattern of sentences) {
    for (const match of text.matchAll(pattern)) {
      const name = packageOf(match[1] as string)
      if (name !== undefined) yield { term: name, at: match.index + match[0].indexOf(match[1] as string) }
    }
  }
  for (const match of text.matchAll(scopedName)) {
    const name = match[0].replace(/[.-]+$/, '')
    if (!isPluginRule(name)) yield { term: name, at: match.index }
  }
  yield* installed(text)
}

const sentences: readonly RegExp[] = [
  /No module named ['"`]?([\w.]{1,200})/g,
  /[Cc]annot find (?:module|package) ['"`]([^'"`\n]{1,214})['"`]/g,
  /(?:[Cc]ould not|[Cc]annot|[Cc]an't|[Ff]ailed to|[Uu]nable to) resolve (?:import |module |dependency:? |package )?['"`]([^'"`\n]{1,214})['"`]/g,
  /No matching distribution found for ([\w.-]{1,100})/g,
  /satisfies the requirement ([\w.-]{1,100})/g,
  /can't find crate for [`'"]([\w-]{1,64})/g,
  /no matching package named [`'"]([\w-]{1,64})/g,
  /unresolved import [`'"]([a-z][\w-]{0,63})/g,
  /undeclared crate or module [`'"]([\w-]{1,64})/g,
  /(?<!\w)crate [`'"]([\w-]{1,64})[`'"]/g,
  /^[ \t]{0,20}(?:Compiling|Checking|Downloaded|Downloading|Adding|Updating|Removing|Installed|Installing|Fresh|Documenting) ([\w-]{1,64}) v\d/gm,
  /no required module provides package ([\w./~-]{1,200})/g,
  /(?<=node_modules[/\\])((?:@[\w.-]{1,100}[/\\])?[\w-][\w.-]{0,100})(?=[/\\])/g,
]

const scopedName = /(?<![\w@/.])@[a-z0-9][\w.-]{0,100}\/[a-z0-9][\w.-]{0,100}/g

/** A module as it was asked for → the package; relative paths, aliases and Rust's own words are none. */
function packageOf(asked: string): string | undefined {
  const name = asked
    .trim()
    .replaceAll('\\', '/')
    .replace(/[.,:;]+$/, '')
  if (name === '' || /^[./~#]|^@\/|^[A-Za-z]:\/|\s/.test(name) || /^(?:crate|self|super|std|core|alloc)$/.test(name))
    return undefined
  const [first, second] = name.split('/') as [string, string?]
  if (name.startsWith('@')) return second === undefined ? undefined : `${first}/${second}`
  // Go's packages are addresses, whole only.
  return first.includes('.') && second !== undefined ? name : first
}

/** `npm install a b@2`, `pip install a==1`, `cargo add a`. */
function* installed(text: string): Iterable<Found> {
  for (const match of text.matchAll(installing)) {
    let at = match.index + match[0].length - (match[1] as string).length
    for (const word of (match[1] as string).split(' ')) {
      const name = /^(?:@[\w.-]{1,100}\/)?[A-Za-z0-9_][\w./-]{0,100}/.exec(word)?.[0]
      if (name !== undefined && /^(?:@|\d+\.\d|[=<>~!^[]|$)/.test(word.slice(name.length))) {
        yield { term: name.replace(/[.-]+$/, ''), at }
      }
      at += word.length + 1
    }
  }
}

const installing =
  /(?<![\w-])(?:npm (?:install|i|add)|pnpm (?:add|install)|yarn add|bun add|pip3? install|uv (?:add|pip install)|poetry add|cargo (?:add|install)|go get|gem install|brew install|apt(?:-get)? install)((?: [^\s;&|`'")]{1,214}){1,20})/g
