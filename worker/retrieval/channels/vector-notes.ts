/** Describes records without vectors of the store's space, for `status()` and for plans. */
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { Store } from '../../store/port/store.ts'

/** At most two lines: records whose vectors are pending, and records that only an explicit call embeds. */
export function vectorNotes(
  store: Pick<Store, 'space' | 'lacking' | 'statistics'>,
  { embeds }: Pick<EngineOptions, 'embeds'>,
): readonly string[] {
  const space = store.space()
  if (space === null) return []
  const { pending, otherSpaces, none } = store.lacking()
  const lacking = otherSpaces + (embeds === true ? none : 0)
  const all = store.statistics(null).records
  const hint = embeds === true ? 'call reembed()' : 'put them again with vectors'
  return [
    ...(pending === 0
      ? []
      : [`${ofAll(pending, all)} wait for vectors of ${space.name}: they are made in the background`]),
    ...(lacking === 0 ? [] : [`${ofAll(lacking, all)} have no vectors of ${space.name}: ${hint}`]),
  ]
}

function ofAll(some: number, all: number): string {
  return `${spell(some)} of ${spell(all)} records`
}

/** 2,000 for 2000, whatever the locale. */
function spell(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
