/** Copies the embedding table and its attributions into the folder of the built module, which loads them from there. */
/* oxlint-disable no-restricted-imports -- a script of the build, which is not part of the bundle. */
import { copyFile } from 'node:fs/promises'

const built = new URL('../../dist/src/embedders/', import.meta.url)
for (const file of ['minilm-static-128.bin', 'NOTICE.md']) {
  await copyFile(new URL(file, import.meta.url), new URL(file, built))
}
