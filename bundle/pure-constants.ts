/**
 * Marks the constants of modules as free of effects, so that bundlers of apps leave out those that an app does not use. Bundlers keep
 * a constant whose value calls a function or reads a member, because either could have an effect. Modules of `src` have none when
 * they load: the linter refuses globals in core, and programs and workers run statements, which stay.
 */
import { parseAst } from 'rolldown/parseAst'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/**
 * Returns the code with each such value in a marked call: `const a = /* @__PURE__ *\/ (() => f(b))()`. `const { a, b: c } = d` becomes
 * `const a = …d.a…, c = …d.b…`, because bundlers keep patterns.
 */
export function markConstants(code: string): string {
  const edits = parseAst(code).body.flatMap((statement) => editsOf(statement as Node, code))
  let marked = ''
  let end = 0
  for (const { at, text } of edits) {
    marked += code.slice(end, at.start) + text
    end = at.end
  }
  return marked + code.slice(end)
}

interface Edit {
  /** What the text replaces. */
  readonly at: Node
  readonly text: string
}

/** The edits of a statement at the top of a module. */
function editsOf(statement: Node, code: string): readonly Edit[] {
  const declaration = (statement as { declaration?: Node | null }).declaration ?? statement
  if (declaration.type !== 'VariableDeclaration') return []
  const { declarations } = declaration as unknown as { readonly declarations: readonly Declarator[] }
  const textOf = ({ start, end }: Node) => code.slice(start, end)
  return declarations.flatMap((declarator): Edit[] => {
    const { id, init } = declarator
    if (init === null || holds(init, /^AwaitExpression$/)) return []
    if (id.type === 'Identifier') return holds(init, acting) ? [{ at: init, text: marked(textOf(init)) }] : []
    const members = init.type === 'Identifier' ? membersOf(id) : null
    const text = members?.map(([name, key]) => `${name} = ${marked(`${textOf(init)}.${key}`)}`).join(', ')
    return text ? [{ at: declarator, text }] : []
  })
}

/** [name of the constant, key] of a pattern without defaults, rest and patterns in it; null for others. */
function membersOf(pattern: Node): readonly (readonly [name: string, key: string])[] | null {
  const { properties = [] } = pattern as { readonly properties?: readonly Property[] }
  const isPlain = ({ type, computed, key, value }: Property) =>
    type === 'Property' && !computed && key.type === 'Identifier' && value.type === 'Identifier'
  return properties.every(isPlain) ? properties.map(({ key, value }) => [value.name, key.name]) : null
}

interface Declarator extends Node {
  readonly id: Node
  readonly init: Node | null
}

interface Property extends Node {
  readonly computed: boolean
  readonly key: Node & { readonly name: string }
  readonly value: Node & { readonly name: string }
}

/** In brackets, because a body that begins with a brace would be a block. */
const marked = (value: string) => `/* @__PURE__ */ (() => ${value.startsWith('{') ? `(${value})` : value})()`

const acting =
  /^(?:Call|New|TaggedTemplate|Member|Import|Assignment|Update|Binary)Expression$|^SpreadElement$|^TemplateLiteral$/

/** Whether the value has such a part, outside of functions. */
function holds(node: unknown, types: RegExp): boolean {
  if (node === null || typeof node !== 'object') return false
  if (Array.isArray(node)) return node.some((part) => holds(part, types))
  const { type } = node as Node
  if (type === 'ArrowFunctionExpression' || type === 'FunctionExpression') return false
  return (typeof type === 'string' && types.test(type)) || Object.values(node).some((part) => holds(part, types))
}
