/** URL of the table, in a form that bundlers find. Give it as `assets.embeddingLanguages`. */
export const embeddingLanguages = new URL('./multi-static-128.bin', import.meta.url)
