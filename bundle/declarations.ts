/** Bundles the compiler's declarations into one file for each entry, and one for what they share. */
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { publicEntries, root } from './entries.ts'

export async function bundleDeclarations(): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(publicEntries.map((entry) => [entry, `${root}dist/types/${entry}.d.ts`])),
    external: (id) => !/^[./]/.test(id),
    plugins: [dts({ dtsInput: true, tsconfig: false, sourcemap: false })],
  })
  await build.write({
    dir: `${root}dist`,
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'src/shared/[name].d.ts',
    codeSplitting: { groups: [{ name: 'types', minShareCount: 2 }] },
  })
  await build.close()
}
