/**
 * The entry `scrubjay/salvage`: what can still be read of a store that is damaged. It runs in a worker of its own, so that no page
 * pays for it that does not need it.
 */
export type { SalvageReceipt } from '../protocol/salvage.ts'
export { type SalvageAssets, type Salvaged, type SalvageOptions, salvage } from './salvage.ts'
