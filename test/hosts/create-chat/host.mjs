/** The template `chat`: without a key, what was said before a reload is recalled; with a server, the model gets it, and its key is not in the page. */
import { createServer } from 'node:http'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { conversation } from '../created.ts'

const key = 'key-of-the-test'

export const host = {
  template: 'chat',
  async run({ app, run, serve, serveFolder, inPage }) {
    await run('tsc')
    await run('vite build')
    await serveFolder('dist', (url) =>
      inPage(`${url}/`, async (page) => {
        const { say, until } = conversation(page)
        await until(`text('#model').startsWith('No model is connected')`)
        await say('My dog is called Biscuit.')
        await until(`text('#turns').includes('Nothing in the memory answers this.')`)
        await page.reload()
        await until(`text('#model') !== ''`)
        await say('What is my dog called?')
        await until(`text('#turns').includes('From the memory') && text('.memory').includes('Biscuit')`)
      }),
    )
    await withModel(async (modelUrl, asked) => {
      await writeFile(join(app, '.env.local'), `MODEL_URL=${modelUrl}/v1\nMODEL_NAME=tiny\nMODEL_KEY=${key}\n`)
      await run('vite build')
      for (const name of await readdir(join(app, 'dist/assets')))
        if (name.endsWith('.js') && (await readFile(join(app, 'dist/assets', name), 'utf8')).includes(key))
          throw new Error(`the key is in ${name}`)
      await serve(
        (port) => `vite preview --host 127.0.0.1 --port ${port}`,
        (url) =>
          inPage(`${url}/`, async (page) => {
            const { say, until } = conversation(page)
            await until(`text('#model').startsWith('Model: tiny')`)
            await say('The alarm code of the shed is 4711.')
            await until(`text('#turns').includes('An answer of the server.')`)
            await page.reload()
            await until(`text('#model') !== ''`)
            await say('What is the alarm code of the shed?')
            await until(`text('#turns').includes('From the memory')`)
            const last = asked.at(-1)
            if (last.path !== '/v1/chat/completions' || last.authorization !== `Bearer ${key}`)
              throw new Error(`asked ${JSON.stringify(last)}`)
            if (!last.body.includes('4711')) throw new Error(`the model was not given the memory: ${last.body}`)
          }),
      )
    })
  },
}

/** A server that speaks OpenAI's API. */
async function withModel(use) {
  const asked = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    asked.push({ path: request.url, authorization: request.headers.authorization, body })
    const message = { role: 'assistant', content: 'An answer of the server.' }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: '1',
        object: 'chat.completion',
        created: 1,
        model: 'tiny',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${server.address().port}`, asked)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
