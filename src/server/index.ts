/** `scrubjay/server`: many stores in one PostgreSQL database, for `openRecall({ remote })`. */
export { hashToken } from './host/tokens.ts'
export type { Limits, ServerOptions } from './common/options.ts'
export { type ListenOptions, type RecallServer, serve } from './server.ts'
