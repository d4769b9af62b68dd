/** URL of the table, in a form that bundlers find. Give it as `assets.embeddingLanguages`. */
export declare const embeddingLanguages: URL
