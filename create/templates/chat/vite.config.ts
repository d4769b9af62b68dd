import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const { MODEL_URL, MODEL_KEY, MODEL_NAME = '' } = loadEnv(mode, '.', 'MODEL_')
  const define = { __MODEL_NAME__: JSON.stringify(MODEL_URL ? MODEL_NAME : '') }
  if (!MODEL_URL) return { define }
  if (!MODEL_NAME) throw new Error('MODEL_NAME must be set if MODEL_URL is, for example MODEL_NAME=llama3.2.')
  const { origin, pathname } = new URL(MODEL_URL)
  // The page calls /model on its own server, which adds the key: the key is never in the page.
  const proxy = {
    '/model': {
      target: origin,
      changeOrigin: true,
      rewrite: (path: string) => path.replace(/^\/model/, pathname.replace(/\/$/, '')),
      ...(MODEL_KEY ? { headers: { authorization: `Bearer ${MODEL_KEY}` } } : {}),
    },
  }
  return { define, server: { proxy }, preview: { proxy } }
})
