/**
 * Turns the source given to `Page.evaluate` into one self-contained expression, and its reply back into a value or an
 * error. All three engines run the same text, so a test means the same in each.
 */
import { runInNewContext } from 'node:vm'

/**
 * An expression that evaluates to a promise of a JSON reply for `readReply`. Whether the source is an expression or a
 * function body is decided here, not in the page, where a policy without 'unsafe-eval' would forbid the test.
 */
export function buildProgram(source: string, args: readonly unknown[]): string {
  const body = isExpression(source)
    ? `const value = (${source}\n); return typeof value === 'function' ? await value(...args) : await value`
    : source
  const run = `async (args) => {\n${body}\n}`
  const argsText = JSON.stringify(JSON.stringify(args))
  return `(${run})(JSON.parse(${argsText})).then(
    (value) => JSON.stringify({ value }),
    (error) => JSON.stringify({ error: { name: String(error?.name ?? 'Error'), message: String(error?.message ?? error), stack: String(error?.stack ?? '') } }),
  )`
}

/** The value of a program's reply; throws an error with the page's name, message and stack when there is one. */
export function readReply<T>(reply: unknown): T {
  if (typeof reply !== 'string') throw new Error(`The page gave no reply but ${JSON.stringify(reply)}.`)
  const { value, error } = JSON.parse(reply) as {
    value?: T
    error?: { readonly name: string; readonly message: string; readonly stack: string }
  }
  if (error !== undefined) {
    const thrown = new Error(`${error.message}\n  in the page: ${error.stack}`)
    thrown.name = error.name
    throw thrown
  }
  return value as T
}

function isExpression(source: string): boolean {
  // Only compiled, never called.
  return compiles(`async (args) => (${source}\n)`)
}

function compiles(source: string): boolean {
  try {
    runInNewContext(source)
    return true
  } catch {
    return false
  }
}
