/** `scrubjay convert-model <folder>`: converts an encoder for scrubjay-minilm. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { recallError } from '../../core/model/errors.ts'
import { sha256HexOfBytes } from '../../core/text/hash/sha256.ts'
import { findModelShape } from '../../embedders/known-models.ts'
import { convertModel } from '../../embedders/model-file/convert-model.ts'
import { readModelFile } from '../../embedders/model-file/model-file.ts'
import { choiceOf, type Given, integerOf, wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const convert: Command = {
  summary: 'Converts a BERT encoder into one file for minilmEmbedder of scrubjay-minilm.',
  help: 'The folder holds one file of safetensors, tokenizer.json and config.json. Prints the SHA-256 and the dimensions, which minilmEmbedder needs.',
  positional: '<folder> ',
  options: ['out', 'name', 'pooling', 'max-tokens', 'word-bits', 'query-prefix', 'document-prefix', 'force'],
  store: 'none',
  async run(given, { output }) {
    const { folder, out } = placesOf(given)
    const name = given.options.name ?? basename(resolve(folder))
    const known = findModelShape(name)
    const { 'query-prefix': query, 'document-prefix': document, json } = given.options
    const bytes = convertModel(await readSource(folder), {
      name,
      pooling: choiceOf(given, 'pooling', ['mean', 'cls']) ?? known?.pooling,
      tokens: integerOf(given, 'max-tokens', 512),
      prefixes: { query: query ?? known?.prefixes.query ?? '', document: document ?? known?.prefixes.document ?? '' },
      wordBits: wordBitsOf(given),
    })
    await writeWhole(out, bytes)
    const { dimensions, tokens, pooling } = readModelFile(bytes.buffer).header
    const answer = { file: out, bytes: bytes.length, sha256: sha256HexOfBytes(bytes), dimensions, tokens, pooling }
    if (json === true) writeJson(output, answer)
    else for (const [field, value] of Object.entries(answer)) writeLine(output, `${field}: ${value}`)
    return 0
  },
}

function placesOf({ positional, options: { out, force } }: Given): { readonly folder: string; readonly out: string } {
  const [folder] = positional
  if (folder === undefined || positional.length > 1 || out === undefined || out === '')
    throw wrongUse('One folder and --out must be given', 'scrubjay convert-model --help')
  if (!existsSync(folder)) {
    throw recallError('INVALID_ARGUMENT', 'must be a folder that exists', {
      field: 'folder',
      value: folder,
      hint: 'Give the folder with the safetensors file, tokenizer.json and config.json.',
    })
  }
  if (!existsSync(dirname(out)) || (existsSync(out) && force !== true)) {
    throw recallError('INVALID_ARGUMENT', 'must be a file that does not exist, in a folder that does', {
      field: '--out',
      value: out,
      hint: 'Give another name, or --force.',
    })
  }
  return { folder, out }
}

async function readSource(folder: string) {
  const weights = readdirSync(folder).filter((file) => file.endsWith('.safetensors'))
  if (weights.length !== 1) {
    throw recallError('INVALID_ARGUMENT', 'must hold exactly one file of safetensors', {
      field: 'folder',
      value: weights.join(', ') || folder,
      hint: 'Weights in several files must be joined before.',
    })
  }
  const read = (file: string) =>
    readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      throw recallError('INVALID_ARGUMENT', `must hold ${file}, which cannot be read (${error.code})`, {
        field: 'folder',
        value: folder,
        hint: 'Give the folder as it was published.',
      })
    })
  return {
    weights: await read(weights[0]!),
    tokenizer: (await read('tokenizer.json')).toString(),
    config: (await read('config.json')).toString(),
  }
}

function wordBitsOf(given: Given): 4 | 6 | 8 | undefined {
  const bits = choiceOf(given, 'word-bits', ['4', '6', '8'])
  return bits === undefined ? undefined : (Number(bits) as 4 | 6 | 8)
}

/** Another file is replaced only by a whole one. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`
  try {
    await writeFile(part, bytes)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
