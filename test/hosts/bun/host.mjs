export const host = {
  async run({ run, expectWorks }) {
    expectWorks((await run('bun main.js')).trim())
    await run('bun build main.js --target=bun --outdir=built')
    expectWorks((await run('bun built/main.js')).trim())
  },
}
