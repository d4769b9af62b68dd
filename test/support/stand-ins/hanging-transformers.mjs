/** Replaces transformers.js by a library whose parts hang or answer something else: the model's name says which. */
export const env = { backends: { onnx: {} } }

const never = () => new Promise(() => {})
const answers = {
  nothing: undefined,
  empty: {},
  'no data': { dims: [1, 4] },
  'too little data': { dims: [1, 4], data: new Float32Array(3) },
  'no dims': { data: new Float32Array(4) },
}

export async function pipeline(_task, model) {
  if (model === 'never loads') return never()
  const extract = async () => (model === 'never answers' ? never() : answers[model])
  return Object.assign(extract, { dispose: async () => (model === 'never answers' ? never() : undefined) })
}
