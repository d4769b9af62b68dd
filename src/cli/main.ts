#!/usr/bin/env node
/** The program `scrubjay`. */
import { runCli } from './run-cli.ts'

const stopping = new AbortController()
// The first signal ends the work in order; a second one ends the process as usual.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort(signal))
// The reader of the output may leave early: `scrubjay list | head`.
process.stdout.on('error', () => stopping.abort('EPIPE'))
process.stderr.on('error', () => undefined)

process.exitCode = await runCli(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  environment: process.env,
  signal: stopping.signal,
})
// It would keep the process alive if its other end stays open.
process.stdin.destroy()
