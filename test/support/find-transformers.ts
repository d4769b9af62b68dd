/**
 * Finds transformers.js and a model for it: the folder in SCRUBJAY_TRANSFORMERS, with
 * `node_modules/@huggingface/transformers` in it and `models/minilm` (all-MiniLM-L6-v2: config.json, tokenizer.json,
 * tokenizer_config.json, onnx/model_quantized.onnx). Together they have half a gigabyte, and their install script
 * downloads more, so they are not a devDependency.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface FoundTransformers {
  readonly folder: string
  /** The module for Node. */
  readonly library: URL
  readonly models: string
}

/**
 * The library and model, or null without the variable. A named folder that lacks something is an error, and never
 * ignored silently.
 */
export function findTransformers(): FoundTransformers | null {
  const folder = process.env['SCRUBJAY_TRANSFORMERS']
  if (!folder) return null
  const library = join(folder, 'node_modules/@huggingface/transformers/dist/transformers.node.mjs')
  const models = join(folder, 'models')
  for (const path of [library, join(models, 'minilm/onnx/model_quantized.onnx')]) {
    if (!existsSync(path)) throw new Error(`SCRUBJAY_TRANSFORMERS: there is no ${path}`)
  }
  return { folder, library: pathToFileURL(library), models }
}

export const noTransformers = 'SCRUBJAY_TRANSFORMERS names no folder with transformers.js and a model'
