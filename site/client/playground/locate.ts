/** Finds the place in a text of JSON that an error speaks of, for example of `policy.lexical.k1` or `records[2].tags[1]`. */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

/** Offsets in the text. */
export interface Place {
  readonly from: number
  readonly to: number
}

export interface Problem {
  readonly message: string
  readonly place: Place
}

export type Parsed = { readonly value: unknown; readonly tree: Node } | { readonly problem: Problem }

/** JSON, also with comments and with a comma at the end of a list. */
export function parseText(text: string): Parsed {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const first = errors[0]
  if (first !== undefined || tree === undefined) {
    const { offset, length } = first ?? { offset: 0, length: 0 }
    const code = first === undefined ? 'ValueExpected' : printParseErrorCode(first.error)
    return { problem: { message: explained(code), place: { from: offset, to: offset + length } } }
  }
  return { value: valueOf(tree), tree }
}

/**
 * The place of the field with this path, without the name in front of it (`lexical.k1`, `[2].tags[1]`). If the field is missing,
 * that of the object that should have it.
 */
export function placeOf(tree: Node, path: string): Place {
  let steps = stepsOf(path)
  let node = findNodeAtLocation(tree, steps)
  while (node === undefined && steps.length > 0) {
    steps = steps.slice(0, -1)
    node = findNodeAtLocation(tree, steps)
  }
  const found = node ?? tree
  // The name of a field is easier to find than the end of its value.
  const named = found.parent?.type === 'property' ? found.parent : found
  const isLong = named.type === 'object' || named.type === 'array'
  return { from: named.offset, to: isLong ? named.offset + 1 : named.offset + named.length }
}

/** From 0. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1
}

function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) => (index === undefined ? name : Number(index)))
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value
  // `Object.fromEntries` makes own fields of all names, also of `__proto__`.
  return Object.fromEntries(
    (node.children ?? []).map(({ children = [] }) => [children[0]!.value, valueOf(children[1]!)]),
  )
}

function explained(code: string): string {
  return explanations[code] ?? `This is not JSON (${code}).`
}

const explanations: Readonly<Record<string, string>> = {
  CommaExpected: 'A comma is missing before this.',
  ColonExpected: 'A colon is missing before this.',
  ValueExpected: 'A value is missing here.',
  PropertyNameExpected: 'A field name in double quotes is missing here.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'The text should end before this.',
  InvalidSymbol: 'This word is not JSON. Put texts in double quotes.',
  UnexpectedEndOfString: 'The closing double quote is missing.',
  InvalidNumberFormat: 'This number is not JSON. Write 0.5, not .5.',
}
