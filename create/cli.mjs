#!/usr/bin/env node
/** `npm create scrubjay <template> [folder]`. Exit code 1, with one message, if nothing was created. */
import { CreateError, createApp, templates } from './create-app.mjs'

const list = Object.entries(templates)
  .map(([name, what]) => `  ${name.padEnd(8)} ${what}`)
  .join('\n')
const usage = `npm create scrubjay <template> [folder]\n\nTemplates:\n${list}\n`
const words = process.argv.slice(2)

if (words.some((word) => word === '--help' || word === '-h')) process.stdout.write(usage)
else {
  try {
    if (words.length === 0) throw new CreateError(`The name of a template must be given.\n\n${usage.trimEnd()}`)
    const { folder, steps } = await createApp(words, process.cwd())
    process.stdout.write(`Created ${folder}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}`)
  } catch (error) {
    if (!(error instanceof CreateError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
