/** Nuxt: a page and a server route, built with Nitro. */
export const host = {
  async run({ run, serve, expectAnswer, expectWorks }) {
    await run('nuxt build')
    await serve(
      () => 'node .output/server/index.mjs',
      async (url) => {
        expectWorks(JSON.stringify(await (await fetch(`${url}/api/recall`)).json()))
        await expectAnswer(`${url}/`)
      },
    )
  },
}
