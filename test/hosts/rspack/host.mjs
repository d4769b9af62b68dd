export const host = {
  async run({ run, serveFolder, expectAnswer }) {
    await run('rspack build')
    await serveFolder('dist', (url) => expectAnswer(`${url}/`, ['chromium', 'firefox']))
  },
}
