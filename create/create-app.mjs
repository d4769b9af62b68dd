/** Writes an app into a new or empty folder. If that fails, nothing of it is left. */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** By name: what the app is. */
export const templates = {
  chat: 'a chat with the AI SDK that remembers; runs without a key',
  notes: 'notes that work offline and can be installed',
  sidebar: 'a side panel for Chromium that remembers pages',
}

/** A message for the person who typed the command. */
export class CreateError extends Error {}

/**
 * @param {readonly string[]} words The arguments: the name of a template, and the folder if it has another name.
 * @param {string} workFolder
 * @returns {Promise<{ folder: string, steps: readonly string[] }>} The folder as it was written, and the commands that follow.
 */
export async function createApp(words, workFolder) {
  const [template = '', given = template] = words
  const option = words.find((word) => word.startsWith('-'))
  if (option !== undefined)
    throw new CreateError(
      `\`${option}\` must be left out: the command has only \`--help\`. Use \`npm create scrubjay <template> [folder]\`.`,
    )
  if (words.length > 2)
    throw new CreateError(
      `At most a template and a folder must be given, not ${words.length} words. Put a folder with spaces in quotes.`,
    )
  if (!Object.hasOwn(templates, template))
    throw new CreateError(
      `The template must be one of ${Object.keys(templates).join(', ')}, not \`${template}\`. For example: npm create scrubjay notes my-notes`,
    )
  if (given === '') throw new CreateError('The folder must have a name. For `.`, the app is written into this folder.')
  const target = resolve(workFolder, given)
  const isThere = await isEmptyFolder(target, given)
  /** The first folder that did not exist. */
  let made
  try {
    made = await mkdir(target, { recursive: true })
    await write(template, target)
  } catch (error) {
    await undo(made, isThere ? target : undefined)
    throw new CreateError(explain(error, given), { cause: error })
  }
  const steps = [
    ...(target === workFolder ? [] : [`cd ${quoted(given)}`]),
    'npm install',
    template === 'sidebar' ? 'npm run build' : 'npm run dev',
  ]
  return { folder: relative(workFolder, target) || '.', steps }
}

/** False if nothing is there. Rejects if something is that would be mixed with the app. */
async function isEmptyFolder(target, given) {
  let names
  try {
    names = await readdir(target)
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw new CreateError(explain(error, given), { cause: error })
  }
  if (names.length === 0) return true
  const some = names.sort().slice(0, 3).join(', ')
  throw new CreateError(
    `The folder ${given} must be empty, and it has ${some}${names.length > 3 ? ', …' : ''}. Give another name, or empty it first.`,
  )
}

async function write(template, target) {
  await cp(here('shared'), target, { recursive: true })
  await cp(here(`templates/${template}`), target, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|dist)$/.test(path.slice(here('').length)),
  })
  // npm leaves files of this name out of packages.
  await rename(join(target, 'gitignore'), join(target, '.gitignore'))
  const path = join(target, 'package.json')
  const manifest = { name: packageName(target), ...JSON.parse(await readFile(path, 'utf8')) }
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`)
}

async function undo(made, emptied) {
  if (made !== undefined) await rm(made, { recursive: true, force: true })
  else if (emptied !== undefined)
    for (const name of await readdir(emptied)) await rm(join(emptied, name), { recursive: true, force: true })
}

function explain(error, given) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `The folder ${given} must be one that you may write (${code}). Use a folder in your home, or change its rights.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${given} must be a folder, and a file has this name or is on the way to it. Give another name.`
  if (code === 'ENOSPC') return `The disk must have space for ${given}. Free some, and run the command again.`
  return `${given} could not be created: ${message}`
}

/** A name that npm accepts. */
function packageName(target) {
  const name = basename(target)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name.slice(0, 100) || 'app'
}

function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`
}

function here(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}
