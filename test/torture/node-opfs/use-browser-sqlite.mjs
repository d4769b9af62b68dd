/**
 * A loader hook: `@sqlite.org/sqlite-wasm` resolves to its browser build, because the one for Node lacks the OPFS
 * layer.
 */

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  if (specifier !== '@sqlite.org/sqlite-wasm') return next(specifier, context)
  const conditions = (context.conditions ?? []).filter((condition) => condition !== 'node')
  return next(specifier, { ...context, conditions })
}
