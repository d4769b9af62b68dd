/** Next.js, app router: a client component with hooks, a server component and a route handler, each way it builds. */
export const host = {
  quick: true,
  async run(tools, isQuick) {
    const { run, serve, expectAnswer, expectWorks } = tools
    const ask = async (served) => {
      // The development server refuses pages of any other host name.
      const url = served.replace('127.0.0.1', 'localhost')
      expectWorks(await (await fetch(`${url}/api/recall`)).text())
      await expectAnswer(`${url}/server`)
      await expectAnswer(`${url}/`, ['chromium', 'firefox'])
    }
    for (const bundler of isQuick ? ['--turbopack'] : ['--turbopack', '--webpack']) {
      await run(`next build ${bundler}`)
      await serve((port) => `next start -p ${port}`, ask)
      if (!isQuick) await serve((port) => `next dev ${bundler} -p ${port}`, ask)
    }
  },
}
