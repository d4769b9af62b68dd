export const host = { quick: true, run: ({ run }) => run('vitest run') }
