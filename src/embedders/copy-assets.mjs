/** Puts the embedding table and its attributions where the built module looks for them: beside itself. */
/* oxlint-disable no-restricted-imports -- a script of the build, no part of what is built. */
import { copyFile } from 'node:fs/promises'

const built = new URL('../../dist/src/embedders/', import.meta.url)
for (const file of ['minilm-static-128.bin', 'NOTICE.md']) {
  await copyFile(new URL(file, import.meta.url), new URL(file, built))
}
