/**
 * The policy of the site's own search. It ranks by words alone: on these pages the built-in embedder found no more pages, and its
 * table is 4 MB.
 */
import { type Policy, policies } from 'scrubjay'

/** What visitors say, and what the pages say. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  'back up': ['backup'],
  big: ['size', 'kB'],
  delete: ['forget'],
  download: ['size'],
  erase: ['forget'],
  fast: ['milliseconds', 'speed'],
  gdpr: ['forget'],
  hook: ['useRecall'],
  licence: ['MIT'],
  license: ['MIT', 'licence'],
  laptop: ['device'],
  missing: ['why'],
  page: ['cursor', 'limit'],
  paging: ['cursor'],
  pagination: ['cursor'],
  phone: ['device'],
  plugin: ['extension'],
  remove: ['forget'],
  slow: ['milliseconds', 'speed'],
  speed: ['milliseconds'],
  switch: ['migrating'],
  sync: ['replicate', 'devices'],
}

/** The kind that content/records.ts gives to guides: readers want a way to do something first. */
export const guide = 'guide'

export const siteSearch: Policy = {
  ...policies.balanced,
  name: 'site-search',
  version: 1,
  synonyms,
  prefer: { ...policies.balanced.prefer, kind: 0.25 },
  // One long page must not fill the list.
  perSource: 2,
}
