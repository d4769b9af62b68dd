/**
 * Extracts file paths. Quoted paths may contain spaces. Cuts off `:line:col`, turns `\` into `/`, and accepts only URLs with
 * the scheme `file`. A path needs an extension, or a known name without one (Makefile).
 */

import type { Found } from './extract-found.ts'
import { runsAround, unitTest } from './extract-runs.ts'

/** The paths of a text, quoted or not. */
export function* findPaths(text: string): Iterable<Found> {
  const quoted = [...quotedPaths(text)]
  yield* quoted
  let next = 0
  for (const { term: written, at } of runsAround(text, fileSign, isPathUnit)) {
    while (next < quoted.length && quoted[next]!.to <= at) next++
    const around = quoted[next]
    if (around !== undefined && around.at <= at) continue
    if (written.length > maxPathLength || isCall(text, at + written.length)) continue
    const path = pathOfChunk(written)
    if (path !== undefined) yield { term: path, at }
  }
}

/** Whether the whole text is a path, by its ending. Also distinguishes paths from qualified names. */
export function hasFileEnding(text: string): boolean {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  const dot = name.lastIndexOf('.')
  if (dot < 0) return wholeNames.has(name)
  if (dot === 0) return dotFiles.test(name)
  const extension = name.slice(dot + 1)
  if (!isExtension(extension, name) && !/\.(?:[cm]?js|css|d\.ts|wasm)\.map$/.test(name)) return false
  // `Math.log`, `process.env`, `self.h` are members, `Node.js` is a product. After a folder they are files.
  return name !== text || !(notFiles.test(name) || (extension.length === 1 && dot === 1))
}

/** `README.MD` is a file; `it.Go` and `support.JSON` are two sentences without a space between. */
function isExtension(extension: string, name: string): boolean {
  if (extensions.has(extension)) return !/^(?:\w\.)+\w$/.test(name)
  return extension === extension.toUpperCase() && name === name.toUpperCase() && extensions.has(extension.toLowerCase())
}

interface Spaced extends Found {
  readonly to: number
}

const maxPathLength = 400

/** An extension, or a name like Makefile. */
const fileSign = /\.[A-Za-z]|[A-Z][a-z]{2,9}file|CODEOWNERS/g

/** Text between white space, quotes and brackets. */
const isPathUnit = unitTest(/[^\s"'`<>|*(){},;!]/, 'members')

const quotedText = /(?<![\w"'`])(["'`])([^"'`\n]{1,260})\1(?!\w)/g

function* quotedPaths(text: string): Iterable<Spaced> {
  for (const match of text.matchAll(quotedText)) {
    const inside = match[2]!
    if (!inside.includes(' ')) continue
    const path = withoutPlace(inside.trim())
    const to = match.index + match[0].length
    if (isSpacedPath(path)) yield { term: path.replaceAll('\\', '/'), at: match.index + 1, to }
  }
}

/** A quoted sentence or command that ends in a file name is not a path. */
function isSpacedPath(path: string): boolean {
  if (!path.includes(' ') || path.includes('://') || / (?:-|&&|[|>=])/.test(path) || /[,;?!*]| \.\w+$/.test(path))
    return false
  if (!hasFileEnding(path) || sentenceStart.test(path)) return false
  const folders = path.split(/[/\\]/)
  if (folders.length > 1) return folders.every((folder) => folder.split(' ').length <= 5)
  const words = path.split(' ')
  return words.length <= 4 && words.slice(0, -1).every((word) => !hasFileEnding(word))
}

const sentenceStart =
  /^(?:I|we|you|it|he|she|they|this|that|there|cat|cd|cp|ls|mv|rm|vi|vim|nano|less|touch|source|sh|bash|node|python3?|ruby|php|go|npx?|git|open|opened|run|edit|see|in|from|import|check|fix|update|create|delete|add|read|write|load|use|using)\b/

/** Whether a `(` follows that does not begin a position as in `a.ts(12,5)`. */
function isCall(text: string, at: number): boolean {
  return text[at] === '(' && !/^\d/.test(text.slice(at + 1, at + 2))
}

function pathOfChunk(written: string): string | undefined {
  const bare = withoutScheme(written)
  if (bare === undefined) return undefined
  const trimmed = withoutBrackets(bare.replace(/^[:=]+/, '').replace(/[.:]+$/, ''))
  const path = candidate(trimmed)
  if (path === undefined || !hasFileEnding(path)) return undefined
  return path.replaceAll('\\', '/')
}

/** `[a.ts:3]`, also with one bracket → a.ts:3; `[id]/page.tsx` is unchanged. */
function withoutBrackets(written: string): string {
  const opened = written.startsWith('[') && (written.endsWith(']') || !written.includes(']'))
  const closed = written.endsWith(']') && (opened || !written.includes('['))
  return written.slice(opened ? 1 : 0, closed ? -1 : undefined)
}

/** The path of a `file:` URL; nothing for other URLs. */
function withoutScheme(written: string): string | undefined {
  const scheme = written.indexOf('://')
  if (scheme < 0) return written.startsWith('www.') ? undefined : written
  if (!/(?:^|[^a-z])file$/.test(written.slice(0, scheme))) return undefined
  const path = written.slice(scheme + 3)
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
}

/** The part of a word that may be a path: `--config=a.json` → a.json, `a.py::test` → a.py, `Error:a.ts:3` → a.ts. */
function candidate(trimmed: string): string | undefined {
  const value = trimmed.slice(trimmed.lastIndexOf('=') + 1).replace(/[?#].*$/, '')
  if (/^[A-Za-z]:[/\\]/.test(value)) return value.slice(0, 2) + value.slice(2).split(':')[0]!
  const parts = value.split(':')
  const first = parts[0]!
  if (hasFileEnding(first)) return first
  const second = parts[1]
  // A port follows `localhost:`, a remote path follows the `host:` of an address.
  return second !== undefined && /^[A-Za-z]+$/.test(first) && !/^\d/.test(second) ? second : undefined
}

/** Cuts off `:line`, `:line:col`, `(line,col)` and `#L1`. */
function withoutPlace(path: string): string {
  return path.replace(/(?::\d{1,7}){1,2}$|\(\d{1,7}(?:,\d{1,7})?\)$|#L\d[\dL-]{0,15}$/, '')
}

const extensions: ReadonlySet<string> = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi pyx ipynb rb erb rs go mod java kt kts scala groovy gradle c h cc cpp ' +
    'cxx hh hpp hxx inl cs csproj sln fs fsx vb swift m mm php pl pm lua r jl ex exs erl hrl hs ml mli clj cljs cljc edn ' +
    'dart zig nim d pas f90 asm wat wasm sol cu glsl wgsl hlsl html htm css scss sass less styl json jsonc json5 jsonl ' +
    'ndjson yaml yml toml ini cfg conf properties env xml xsd xsl svg md mdx rst adoc tex txt csv tsv parquet sql sqlite db ' +
    'sh bash zsh fish ps1 bat cmd mk cmake tf tfvars hcl nix proto thrift graphql gql prisma hbs ejs pug j2 tpl lock log ' +
    'patch diff snap bak plist so dll exe png jpg jpeg gif webp pdf zip gz bz2 xz tgz tar whl jar'
  ).split(' '),
)

const wholeNames: ReadonlySet<string> = new Set(
  'Dockerfile Makefile Gemfile Rakefile Procfile Vagrantfile Jenkinsfile Justfile Brewfile Pipfile CODEOWNERS'.split(
    ' ',
  ),
)

const dotFiles =
  /^\.(?:env|gitignore|gitattributes|gitmodules|dockerignore|npmrc|nvmrc|npmignore|editorconfig|eslintrc|eslintignore|prettierrc|prettierignore|babelrc|bashrc|zshrc|profile|vimrc|htaccess)$/

const notFiles =
  /^(?:(?:console|Math|logger|log|np|torch|tf|math)\.log|(?:process|meta|import\.meta|this|self)\.\w+|.*\.meta\.env|(?:Node|Vue|Next|Nuxt|React|Express|Three|D3|Chart|Ember|Backbone|Moment|Discord|Alpine|Nest|Deno|Bun|Solid|Angular|Knockout|Handlebars|Require|Socket|P5|Paper|Pixi|Babylon|Tensorflow|TensorFlow|Transformers|node|vue|next|nuxt|three|react|express|nest)\.js|(?:ASP|asp|VB)\.\w+)$/
