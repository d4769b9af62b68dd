/**
 * Extracts test ids as the runners print them: pytest, vitest, jest, Go, Rust, JUnit. An id with several parts is also found by
 * its last part, if that names a function.
 */

import type { Found } from './extract-found.ts'
import { hasFileEnding } from './extract-paths.ts'
import { runsAround, unitTest } from './extract-runs.ts'

/** The test ids of a text. */
export function* findTests(text: string): Iterable<Found> {
  // Most texts contain none of these, and a plain search finds that out faster than a pattern.
  if (text.includes('.py::')) yield* pytestIds(text)
  if (text.includes('.test.') || text.includes('.spec.') || text.includes('●')) yield* scriptTests(text)
  if (/test_|Test|Benchmark|Fuzz/.test(text)) yield* namedFunctions(text)
  if (/[Tt]est|IT[.#]/.test(text)) yield* qualifiedTests(text)
  if (/Test|IT[) ]/.test(text)) yield* junitCalls(text)
}

/** `tests/test_a.py::TestX::test_y[1]`, and its `test_y`. */
function* pytestIds(text: string): Iterable<Found> {
  for (const match of text.matchAll(
    /(?<![\w./\\-])[\w./\\-]{1,300}\.py((?:::\w{1,200}){1,6})(?:\[[^\]\n]{0,200}\])?/g,
  )) {
    yield { term: match[0], at: match.index }
    const name = match[1]!.slice(match[1]!.lastIndexOf(':') + 1)
    yield { term: name, at: match.index + match[0].indexOf(name) }
  }
}

/** `a.test.ts > suite > name` of vitest, `● suite › name` of jest. Cuts off times after the name. */
function* scriptTests(text: string): Iterable<Found> {
  const id = /(?<![\w./\\@-])[\w./\\@-]{1,300}\.(?:test|spec)\.[cm]?[jt]sx?(?: [>›](?: [^\n>› ]{1,80}){1,40}){1,8}/g
  for (const match of text.matchAll(id)) yield { term: withoutTime(match[0]), at: match.index }
  for (const match of text.matchAll(/^[ \t]{0,8}● ([^\n]{1,300})$/gm)) {
    const name = withoutTime(match[1]!)
    if (name.includes(' › ')) yield { term: name, at: match.index + match[0].indexOf(name) }
  }
}

function withoutTime(name: string): string {
  return name.trim().replace(/ {1,4}\(?\d{1,7}(?:\.\d{1,4})? ?m?s\)?$/, '')
}

/** Go's `TestX/sub` and its `TestX`, Python's `test_x`. */
function* namedFunctions(text: string): Iterable<Found> {
  const go = /(?<![\w./:#$@-])((?:Test|Benchmark|Fuzz)[A-Z_]\w{0,200})((?:\/[\w#=+-]{1,200}){0,4})(?![\w.:#]\w|\w)/g
  for (const match of text.matchAll(go)) {
    if (/(?:Error|Exception|Warning|Case|Suite)$/.test(match[1]!)) continue
    yield { term: match[0], at: match.index }
    yield { term: match[1]!, at: match.index }
  }
  for (const match of text.matchAll(/(?<![\w./:#$@-])test_\w{1,200}(?!\.\w|\w)/g))
    yield { term: match[0], at: match.index }
}

/** Rust's `mod::tests::name`, JUnit's `pkg.XTest.name` and `XTest#name`. */
function* qualifiedTests(text: string): Iterable<Found> {
  for (const { term, at } of runsAround(text, /[Tt]ests?(?:::|[.#]\w)|IT[.#]\w/g, isNameUnit)) {
    const name = term.replace(/[.:#]+$/, '').replace(/:\d{1,7}$/, '')
    if (name.length > 300) continue
    if (/^\w+(?:::\w+)+$/.test(name) ? /::tests?::/.test(`::${name}`) : isJunit(name)) yield { term: name, at }
  }
  for (const match of text.matchAll(/^test (\w[\w:]{0,300})(?: - should panic)? \.\.\. (?:ok|FAILED|ignored)/gm)) {
    yield { term: match[1]!, at: match.index + 5 }
  }
}

const isNameUnit = unitTest(/[\w$.:#]/, 'others')

function isJunit(name: string): boolean {
  return /^(?:[a-z_]\w*\.)*[A-Z]\w*(?:Tests?|IT)[.#][a-z_]\w*$/.test(name) && !hasFileEnding(name)
}

/** `name(pkg.XTest)` of JUnit 4 and `XTest > name()` of Gradle, both as `XTest.name`. */
function* junitCalls(text: string): Iterable<Found> {
  for (const match of text.matchAll(/(?<![\w.])([a-z]\w{0,200})\(((?:\w{1,60}\.){0,10}[A-Z]\w{0,100})\)/g)) {
    if (/(?:Tests?|IT)$/.test(match[2]!)) yield { term: `${match[2]}.${match[1]}`, at: match.index }
  }
  for (const match of text.matchAll(/(?<![\w.])([A-Z]\w{0,100}) > ([a-z]\w{0,200})\(\)/g)) {
    if (/(?:Tests?|IT)$/.test(match[1]!)) yield { term: `${match[1]}.${match[2]}`, at: match.index }
  }
}
