/**
 * Copies the embedding tables and their attributions into the folder of the built module, which loads them from there. The published
 * package leaves out the table of other languages, which is a package of its own.
 */
/* oxlint-disable no-restricted-imports -- a script of the build, which is not part of the bundle. */
import { copyFile } from 'node:fs/promises'

const built = new URL('../../dist/src/embedders/', import.meta.url)
for (const file of ['minilm-static-128.bin', 'NOTICE.md']) {
  await copyFile(new URL(file, import.meta.url), new URL(file, built))
}
await copyFile(new URL('../../languages/multi-static-128.bin', import.meta.url), new URL('multi-static-128.bin', built))
