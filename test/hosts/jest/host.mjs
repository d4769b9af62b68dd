export const host = {
  quick: true,
  run: ({ run }) => run('jest --ci', { NODE_OPTIONS: '--experimental-vm-modules' }),
}
