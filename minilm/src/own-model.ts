/** The model of this release. Other bytes would make vectors of another space. */

export const ownModel = Object.freeze({
  /** In a form that bundlers find. */
  url: new URL('./minilm.bin', import.meta.url),
  sha256: 'bf726a4da24bff7473f055247469c270d20a0bd6891530ad4fb68fc2afc45633',
  dimensions: 384,
})
