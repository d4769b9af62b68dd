export const host = {
  async run({ run, serveFolder, expectAnswer }) {
    await run('parcel build index.html --no-cache')
    await serveFolder('dist', (url) => expectAnswer(`${url}/`, ['chromium', 'firefox']))
  },
}
