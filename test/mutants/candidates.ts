/**
 * Lists the one-line mutants of a source: each is a place and the text to put there. Types, error texts and import lines
 * are left alone.
 */
import { parseAst } from 'vite'

export interface Mutant {
  readonly file: string
  readonly line: number
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly was: string
  readonly becomes: string
}

/** Whether a mutated source can be parsed: a replacement may need parentheses that it does not have. */
export function isValid(source: string): boolean {
  try {
    parseAst(source, { lang: 'ts' })
    return true
  } catch {
    return false
  }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

interface Edit {
  readonly operator: string
  readonly node: Node
  readonly becomes: string
}

export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const edits: Edit[] = []
  const text = (node: unknown) => source.slice((node as Node).start, (node as Node).end)
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, (node, parent) => {
    for (const [operator, becomes] of editsOf(node, parent, text)) edits.push({ operator, node, becomes })
  })
  return edits.map(({ operator, node, becomes }) => ({
    file,
    line: source.slice(0, node.start).split('\n').length,
    operator,
    start: node.start,
    end: node.end,
    was: text(node),
    becomes,
  }))
}

export function applyMutant(source: string, { start, end, was, becomes }: Mutant): string {
  if (source.slice(start, end) !== was) throw new Error(`The source has changed: expected ${was}.`)
  return source.slice(0, start) + becomes + source.slice(end)
}

const otherComparison: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}
const otherArithmetic: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '<<': '>>',
  '>>>': '<<',
}
const otherMethod: Readonly<Record<string, string>> = {
  max: 'min',
  min: 'max',
  some: 'every',
  every: 'some',
  floor: 'ceil',
}

function* editsOf(
  node: Node,
  parent: Node | null,
  text: (node: unknown) => string,
): Generator<readonly [operator: string, becomes: string]> {
  const { operator, left, right, test, consequent, alternate, expression, value } = node
  /** With another operator; parentheses around the operands stay. */
  const between = (other: string) =>
    text({ start: node.start, end: (left as Node).end }) +
    text({ start: (left as Node).end, end: (right as Node).start }).replace(operator as string, other) +
    text({ start: (right as Node).start, end: node.end })
  switch (node.type) {
    case 'BinaryExpression': {
      for (const other of otherComparison[operator as string] ?? []) yield ['comparison', between(other)]
      const arithmetic = otherArithmetic[operator as string]
      if (arithmetic !== undefined && !isText(left) && !isText(right)) yield ['arithmetic', between(arithmetic)]
      break
    }
    case 'LogicalExpression':
      if (operator === '??') yield ['default dropped', `(${text(left)})`]
      else yield ['and/or', `(${between(operator === '&&' ? '||' : '&&')})`]
      break
    case 'IfStatement': {
      const rest = alternate === null ? '' : ` else ${text(alternate)}`
      yield ['condition negated', `if (!(${text(test)})) ${text(consequent)}${rest}`]
      if (alternate === null) yield ['branch removed', ';']
      break
    }
    case 'ConditionalExpression':
      yield ['branches swapped', `${text(test)} ? ${text(alternate)} : ${text(consequent)}`]
      break
    case 'ExpressionStatement':
      if (isRemovable(expression as Node)) yield ['statement removed', ';']
      break
    case 'UnaryExpression':
      if (operator === '!') yield ['negation dropped', text(node.argument)]
      break
    case 'Literal':
      if (typeof value === 'boolean') yield ['constant', String(!value)]
      else if (typeof value === 'number' && !isPlace(node, parent)) {
        yield ['constant', String(Number.isInteger(value) ? value + 1 : value * 2)]
        if (Number.isInteger(value) && value > 0) yield ['constant', String(value - 1)]
      }
      break
    case 'MemberExpression': {
      const property = node.property as Node
      const other = node.computed === true ? undefined : otherMethod[property.name as string]
      if (other !== undefined && parent?.type === 'CallExpression' && parent.callee === node)
        yield ['method', `${text(node.object)}.${other}`]
      break
    }
  }
}

const isText = (node: unknown) =>
  (node as Node).type === 'TemplateLiteral' ||
  ((node as Node).type === 'Literal' && typeof (node as Node).value === 'string')

const isRemovable = (node: Node): boolean =>
  node.type === 'AwaitExpression'
    ? isRemovable(node.argument as Node)
    : ['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(node.type) && !isSuper(node)

const isSuper = ({ callee }: Node) => (callee as Node | undefined)?.type === 'Super'

/** A number that names a place: a key, or an index of an array. */
const isPlace = (node: Node, parent: Node | null) => parent?.type === 'Property' && parent.key === node

function visit(node: Node, use: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  if (isLeftAlone(node)) return
  use(node, parent)
  for (const field of Object.values(node)) {
    for (const child of Array.isArray(field) ? field : [field]) {
      if (child !== null && typeof child === 'object' && typeof (child as Node).type === 'string')
        visit(child as Node, use, node)
    }
  }
}

/** Types have no effect; the wording of an error is free, and what it tells is tested by its code and field. */
function isLeftAlone(node: Node): boolean {
  if (node.type === 'ThrowStatement' || node.type === 'ImportDeclaration') return true
  return node.type.startsWith('TS') && !expressionTypes.has(node.type)
}

const expressionTypes = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSParameterProperty',
])
