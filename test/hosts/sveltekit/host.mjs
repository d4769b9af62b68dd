/** SvelteKit with adapter-node: on the server and in the page, built and on the development server. */
export const host = {
  async run({ run, serve, expectAnswer }) {
    const ask = async (url) => {
      await expectAnswer(`${url}/server`)
      await expectAnswer(`${url}/`)
    }
    await run('vite build')
    await serve(() => 'node build/index.js', ask)
    await serve((port) => `vite dev --host 127.0.0.1 --port ${port}`, ask)
  },
}
