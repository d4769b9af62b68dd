/**
 * Extracts names from code: error classes, calls, qualified names, compiler codes, ESLint rules. Leaves out words that prose
 * uses, too: two lower-case words with a dot between count only as a call.
 */

import type { Found } from './extract-found.ts'
import { hasFileEnding } from './extract-paths.ts'
import { runsAround, unitTest } from './extract-runs.ts'

/** The symbols of a text, without the parentheses of calls. */
export function* findSymbols(text: string): Iterable<Found> {
  for (const { term: run, at } of runsAround(text, nameSign, isNameUnit)) {
    if (run.length > 250 || isInsideAddress(text, at, run.length)) continue
    const call = /^\(?\)?/.exec(text.slice(at + run.length, at + run.length + 2))?.[0] ?? ''
    yield* namesOf(run, call, at)
  }
  yield* lintRules(text)
}

/** A dot, a colon or a # inside a name, a call, an error class, a code. */
const nameSign = /[.:#][\w$:]|[\w$]\(|Error|Exception|Warning|TS\d{4}|E0\d{3}/g
const isNameUnit = unitTest(/[\w$.:#]/, 'others')

/** Whether the run is part of a URL, an address or a path with folders, where dots do not qualify names. */
function isInsideAddress(text: string, from: number, length: number): boolean {
  const before = text[from - 1] ?? ''
  const after = text[from + length] ?? ''
  return before === '/' || before === '\\' || before === '@' || before === '-' || after === '@' || after === '/'
}

function* namesOf(run: string, call: string, at: number): Iterable<Found> {
  let from = 0
  // A single colon separates, a double one qualifies.
  for (const part of run.split(/(?<!:):(?!:)/)) {
    const name = part.replace(/^[.:#]+|[.:#]+$/g, '')
    const place = at + from + part.indexOf(name)
    from += part.length + 1
    const isLast = from > run.length
    if (/^(?:TS\d{4,5}|E0\d{3})$/.test(name)) yield { term: name, at: place }
    else if (/^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*$/.test(name))
      yield* namesOfPart(name, isLast ? call : '', place)
  }
}

function* namesOfPart(name: string, call: string, at: number): Iterable<Found> {
  const segments = name.split(/\.|::|#/)
  if (isCalled(name, segments, call) || isQualified(name, segments)) yield { term: name, at }
  for (const segment of segments) {
    if (/^[A-Z]\w*(?:Error|Exception|Warning)$/.test(segment)) yield { term: segment, at: at + name.indexOf(segment) }
  }
}

/** `name()`, and `name(…)` if the name itself looks like code; `file(s)` and `if (` are neither. */
function isCalled(name: string, segments: readonly string[], call: string): boolean {
  if (call === '' || call === ')' || keywords.has(name)) return false
  return call === '()' || (name.length > 2 && (segments.length > 1 || /[a-z][A-Z]|_\w/.test(name)))
}

function isQualified(name: string, segments: readonly string[]): boolean {
  if (segments.length < 2 || hasFileEnding(name) || hasFileEnding(name.split('::')[0]!)) return false
  if (/::|\w#\w/.test(name)) return true
  const last = segments.at(-1)!
  if (domains.has(last) || segments[0] === 'www' || segments.some((segment) => segment.length === 1)) return false
  return segments.length > 2 || segments.some((segment) => /[a-z][A-Z]|_\w/.test(segment)) || isMember(segments)
}

/** `Promise.all`, `Array.prototype`: a capital first, then a small letter, but not the end of a sentence. */
function isMember(segments: readonly string[]): boolean {
  return /^[A-Z][a-z]\w+$/.test(segments[0]!) && /^[a-z]\w+$/.test(segments[1]!)
}

const ruleSign = /[a-z]-[a-z]|eqeqeq/g
const isRuleUnit = unitTest(/[@\w/-]/, 'others')

/** ESLint's own rules, rules of well-known plug-ins, and names at the place where ESLint prints the rule. */
function* lintRules(text: string): Iterable<Found> {
  for (const { term: name, at } of runsAround(text, ruleSign, isRuleUnit)) {
    if (name.length < 100 && (coreRules.has(name) || isPluginRule(name))) yield { term: name, at }
  }
  const printed =
    /^[ \t]{0,20}\d{1,7}:\d{1,7}[ \t]{1,20}(?:error|warning)[ \t][^\n]{1,400}[ \t]{2}([@\w/-]{3,100})[ \t]{0,20}$/gm
  for (const match of text.matchAll(printed)) {
    yield { term: match[1]!, at: match.index + match[0].lastIndexOf(match[1]!) }
  }
}

/** Whether the name is a rule of an ESLint plug-in, and not a package or a path. */
export function isPluginRule(name: string): boolean {
  if (name.startsWith('@typescript-eslint/')) return !typescriptEslintPackages.has(name.slice(19))
  return /^(?:react|react-hooks|import|jsx-a11y|vue|unicorn|jest|vitest|n|node|promise|prettier|security|sonarjs|svelte|testing-library)\/[a-z]+(?:-[a-z]+)+$/.test(
    name,
  )
}

const typescriptEslintPackages: ReadonlySet<string> = new Set(
  'parser eslint-plugin utils types typescript-estree scope-manager visitor-keys type-utils rule-tester'.split(' '),
)

const keywords: ReadonlySet<string> = new Set(
  'if for while switch catch function return await typeof new super elif except print with match when and or not in is def class'.split(
    ' ',
  ),
)

const domains: ReadonlySet<string> = new Set('com org net io dev edu gov co uk de fr eu ai app info me'.split(' '))

const coreRules: ReadonlySet<string> = new Set(
  (
    'no-unused-vars no-undef no-console no-debugger no-alert no-var no-empty no-eval no-shadow no-redeclare no-unreachable ' +
    'no-case-declarations no-prototype-builtins no-useless-escape no-constant-condition no-fallthrough no-extra-semi ' +
    'no-param-reassign no-use-before-define no-restricted-imports no-restricted-syntax no-restricted-globals no-undef-init ' +
    'no-async-promise-executor no-await-in-loop no-cond-assign no-control-regex no-dupe-keys no-duplicate-imports ' +
    'no-else-return no-empty-function no-empty-pattern no-extend-native no-global-assign no-implicit-coercion ' +
    'no-implicit-globals no-import-assign no-inner-declarations no-irregular-whitespace no-lonely-if no-loop-func ' +
    'no-magic-numbers no-misleading-character-class no-mixed-spaces-and-tabs no-multi-spaces no-multiple-empty-lines ' +
    'no-nested-ternary no-new-func no-new-wrappers no-plusplus no-promise-executor-return no-return-assign no-return-await ' +
    'no-self-assign no-self-compare no-sequences no-shadow-restricted-names no-sparse-arrays no-template-curly-in-string ' +
    'no-this-before-super no-throw-literal no-trailing-spaces no-unneeded-ternary no-unsafe-finally no-unsafe-negation ' +
    'no-unsafe-optional-chaining no-unused-expressions no-unused-labels no-useless-catch no-useless-concat ' +
    'no-useless-constructor no-useless-rename no-useless-return no-void no-warning-comments no-whitespace-before-property ' +
    'eqeqeq prefer-const prefer-template prefer-destructuring prefer-arrow-callback prefer-rest-params prefer-spread ' +
    'array-callback-return arrow-body-style arrow-parens comma-dangle consistent-return default-case dot-notation ' +
    'func-names func-style getter-return guard-for-in linebreak-style max-depth max-len max-lines max-params ' +
    'max-statements object-curly-spacing object-shorthand one-var operator-linebreak quote-props require-atomic-updates ' +
    'require-await require-yield sort-imports sort-keys space-before-function-paren valid-typeof'
  ).split(' '),
)
