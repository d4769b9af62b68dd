/**
 * Extracts the functions in stack frames of Python, Node, browsers, Java, Rust and Go, as the trace names them.
 * extract-paths finds the files of the frames.
 */

import type { Found } from './extract-found.ts'

/** The functions of stack traces, with their qualifiers. Anonymous functions and module bodies are left out. */
export function* findFrames(text: string): Iterable<Found> {
  for (const { sign, pattern } of traces) {
    if (!text.includes(sign)) continue
    for (const match of text.matchAll(pattern)) {
      const name = match[1]!.replace(/^async |^new /, '').replace(/::h[0-9a-f]{16}$/, '')
      if (!/^<[^>]*>$|^\d+$|anonymous>?$/.test(name)) yield { term: name, at: match.index + match[0].indexOf(name) }
    }
  }
}

/**
 * `sign` is part of every match, and is fast to search for. `[^\n]` instead of `.`, and no `\s` at a line's start: both would let a
 * pattern run across lines.
 */
const traces: readonly { readonly sign: string; readonly pattern: RegExp; readonly example: string }[] = [
  {
    sign: 'File "',
    pattern: /File "[^"\n]{1,400}", line \d{1,7}, in ([\w.<>]{1,200})/g,
    example: 'File "a.py", line 3, in load',
  },
  {
    sign: '(',
    pattern:
      /^[ \t]{0,20}at (?:[\w.@-]{1,60}\/)?((?:async |new )?[^\s(/]{1,300})(?: \[as [^\]\n]{1,100}\])? ?\([^()\n]{1,400}\)/gm,
    example: 'at Object.load (/a.js:1:2), at java.base/java.util.Map.get(Map.java:9)',
  },
  {
    sign: '@',
    pattern: /^([\w$.<>/*]{1,200})@[^\s@]{1,400}:\d{1,7}:\d{1,7}$/gm,
    example: 'load@https://a.example/a.js:1:2',
  },
  {
    sign: '.rs:',
    pattern:
      /^[ \t]{0,10}\d{1,4}: (?:0x[0-9a-f]{1,16} - )?([\w<][^\n]{0,300})(?=\n[ \t]{1,40}at [^\n]{1,400}\.rs:\d)/gm,
    example: '3: core::panicking::panic, then: at library/core/src/panicking.rs:50',
  },
  {
    sign: '.go:',
    pattern: /^([A-Za-z_][^\s(]{0,200}(?:\(\*?\w{1,80}\)[^\s(]{0,100})?)\([^\n]{0,300}\)\n\t[^\n]{1,400}\.go:\d/gm,
    example: 'main.(*Server).Handle(0xc0), then: /a/server.go:42 +0x1d',
  },
]
