/** What `remember` and `reflectPrompt` run, in one file that the first of them loads. */
export { messagesToRecords } from '../core/ingest/messages-to-records.ts'
export { reflectPrompt } from '../core/present/reflect-prompt.ts'
export { extractFacts } from './extract-facts.ts'
