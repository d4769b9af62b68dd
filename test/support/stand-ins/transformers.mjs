/**
 * Replaces transformers.js where it is not installed (half a gigabyte): the part of it that the embedder calls, with
 * vectors of letters. The same tests run against the library itself when SCRUBJAY_TRANSFORMERS names a folder that has
 * it.
 */
export const env = {
  allowRemoteModels: true,
  allowLocalModels: false,
  localModelPath: '',
  backends: { onnx: { wasm: { wasmPaths: undefined } } },
}

const dimensions = 384

export async function pipeline(task, model, { dtype, device, progress_callback }) {
  if (task !== 'feature-extraction') throw new Error(`no such task: ${task}`)
  if (model !== 'minilm') throw new Error(`Could not locate file: "${env.localModelPath}${model}/config.json".`)
  if (device === 'webgpu' && dtype === 'q8') throw new Error('int8 on WebGPU')
  for (const loaded of [1, 50, 100]) progress_callback({ status: 'progress_total', loaded, total: 100 })
  progress_callback({ status: 'ready' })
  const extract = async (texts) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    const data = new Float32Array(texts.length * dimensions)
    texts.forEach((text, i) => {
      const row = data.subarray(i * dimensions, (i + 1) * dimensions)
      const letters = ` ${text.toLowerCase()} `
      for (let at = 1; at < letters.length; at++) {
        row[(letters.charCodeAt(at - 1) * 31 + letters.charCodeAt(at)) % dimensions] += 1
      }
      const length = Math.hypot(...row) || 1
      for (let j = 0; j < dimensions; j++) row[j] /= length
    })
    return { dims: [texts.length, dimensions], data }
  }
  return Object.assign(extract, { dispose: async () => [] })
}
