/** Default options of an engine for tests: in memory, in this process, words alone. */
import { policies } from '../../../src/core/policies/policies.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'

export const engineOptions: EngineOptions = {
  name: 'test',
  storage: 'memory',
  runtime: 'inline',
  policy: policies.balanced,
  authority: null,
  stemmer: 'porter',
  metadataKeys: [],
  index: 'exact',
  autoLink: true,
  space: null,
}
