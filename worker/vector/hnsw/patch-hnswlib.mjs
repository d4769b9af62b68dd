/**
 * Patches hnswlib-wasm at build time, for four reasons. Its embind glue builds functions from text, which the content
 * security policy of extensions forbids. It mounts IndexedDB, which this project does not use and Node does not have. It
 * refuses to start in Node. It does not export its file system. The build fails unless every anchor is found exactly once
 * where it is expected and no code built from text is left.
 */

/** Path of the module to patch. */
export const hnswlibModule = /hnswlib-wasm[\\/]dist[\\/]hnswlib-[0-9a-f]+\.js(\?|$)/

/**
 * For `plugins` of the build of the chunk, and for `worker.plugins` if a bundler builds workers itself.
 * @returns {import('vite').Plugin}
 */
export function patchHnswlibPlugin() {
  return {
    name: 'scrubjay:patch-hnswlib',
    enforce: 'pre',
    transform: { filter: { id: hnswlibModule }, handler: (code) => ({ code: patchHnswlib(code), map: null }) },
  }
}

/**
 * @param {string} code
 * @returns {string}
 */
export function patchHnswlib(code) {
  let patched = code
  for (const { within, from, to, by } of patches) patched = replaceSpan(patched, within, from, to, by)
  const left = /newFunc\(Function|\bnew Function\s*\(["'`\w]|[^.\w`]eval\s*\(/.exec(patched)
  if (left !== null) throw unexpectedModule(`code built from text is left: ${left[0]}`)
  return patched
}

/** A patch replaces the code from `from` to the end of `to` by `by`. Both are in the function that begins with `within`. */
const patches = [
  {
    // A bound method: converts its arguments, calls, converts the result and runs the destructors.
    within: 'function craftInvokerFunction(',
    from: 'var argsList = "";',
    to: 'return newFunc(Function, args1).apply(null, args2);',
    by: `return function () {
        if (arguments.length !== argCount - 2) {
          throwBindingError('function ' + humanName + ' called with ' + arguments.length + ' arguments, expected ' + (argCount - 2) + ' args!');
        }
        var destructors = needsDestructorStack ? [] : null;
        var wired = isClassMethodFunc ? [argTypes[1].toWireType(destructors, this)] : [];
        var own = wired.length;
        for (var i = 2; i < argCount; ++i) wired.push(argTypes[i].toWireType(destructors, arguments[i - 2]));
        var answer = cppInvokerFunc.apply(null, [cppTargetFunc].concat(wired));
        if (needsDestructorStack) runDestructors(destructors);
        else for (var j = 0; j < wired.length; ++j) {
          var type = argTypes[j + 2 - own];
          if (type.destructorFunction !== null) type.destructorFunction(wired[j]);
        }
        if (returns) return argTypes[0].fromWireType(answer);
      };`,
  },
  {
    within: 'function __emval_get_method_caller(',
    from: 'var params = ["retType"];',
    to: 'var invokerFunction = newFunc(Function, params).apply(null, args);',
    by: `var invokerFunction = function (handle, name, destructors, args) {
        var values = [];
        for (var i = 1, at = args; i < argCount; at += types[i]['argPackAdvance'], ++i) values.push(types[i].readValueFromPointer(at));
        var answer = handle[name].apply(handle, values);
        for (var j = 1; j < argCount; ++j) if (types[j]['deleteObject']) types[j].deleteObject(values[j - 1]);
        if (!retType.isVoid) return retType.toWireType(destructors, answer);
      };`,
  },
  {
    within: '\nvar ASM_CONSTS = {',
    from: 'FS.mount(IDBFS, {}, jsAllocatedDir);',
    to: `console.log('EmscriptenFileSystemManager: Mounting IDBFS filesystem...\\n');`,
    by: '',
  },
  {
    within: 'function syncIdb_js(populateFromFS) {',
    from: 'try { FS.syncfs(',
    to: 'catch (err) { Module.setIdbfsSynced(false); }',
    by: 'Module.setIdbfsSynced(true);',
  },
  {
    within: "\n  if (!(typeof window == 'object' || typeof importScripts == 'function'))",
    from: "if (!(typeof window == 'object' || typeof importScripts == 'function'))",
    to: ';',
    by: '',
  },
  {
    within: '\n  return hnswlib.ready',
    from: 'return ',
    to: 'hnswlib.ready',
    by: 'Module.files = FS; return hnswlib.ready',
  },
]

/** Limit of a replaced span. The longest one today is the first, with 3,165 characters. */
const longestSpan = 6_000

/**
 * @param {string} code
 * @param {string} within
 * @param {string} from
 * @param {string} to
 * @param {string} by
 */
function replaceSpan(code, within, from, to, by) {
  const place = code.indexOf(within)
  if (place < 0) throw unexpectedModule(`not found: ${within.trim()}`)
  if (code.includes(within, place + 1)) throw unexpectedModule(`found twice: ${within.trim()}`)
  const start = code.indexOf(from, place)
  if (start < 0) throw unexpectedModule(`not found in ${within.trim()}: ${from}`)
  const last = code.indexOf(to, start)
  if (last < 0) throw unexpectedModule(`not found in ${within.trim()}: ${to}`)
  const end = last + to.length
  const isOther = /\n {0,4}(?:async )?function /.test(code.slice(place + within.length, end))
  if (end - place > longestSpan || isOther) throw unexpectedModule(`reaches into another function: ${within.trim()}`)
  return code.slice(0, start) + by + code.slice(end)
}

/** @param {string} problem */
function unexpectedModule(problem) {
  return new Error(`hnswlib-wasm must be version 0.8.2, for which this patch was written: ${problem}`)
}
