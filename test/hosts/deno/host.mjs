export const host = {
  async run({ run, expectWorks }) {
    expectWorks((await run('deno run --node-modules-dir=manual --allow-read --allow-env main.js')).trim())
  },
}
