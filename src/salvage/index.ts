/**
 * The entry `scrubjay/salvage`: exports the readable records of a damaged store. It has its own worker, so that other pages need not
 * load its code.
 */
export type { SalvageReceipt } from '../protocol/salvage.ts'
export { type SalvageAssets, type Salvaged, type SalvageOptions, salvage } from './salvage.ts'
