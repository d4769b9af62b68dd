/** A store with records that are due and linked, for each test of the importing file, and its requests. */
import { beforeEach } from 'vitest'
import type { AssembleRequest } from '../../../src/core/model/assemble.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

export const day = 86_400_000
export const now = startOfTime + day
const weekly = { periodSeconds: 604_800, amplitude: 1, phaseSeconds: now / 1000 }
export const batch: readonly RecordInput[] = [
  { id: 'deploy', title: 'Deploying', body: 'run the deploy script from the release branch' },
  { id: 'branch', body: 'the release branch is cut on Mondays' },
  { id: 'token', body: 'the registry wants a fresh access key' },
  { id: 'report', body: 'write the weekly report', cycles: [weekly] },
  { id: 'renew', body: 'renew the certificate', pressureRate: 0.3 },
  { id: 'other', body: 'a cake with almonds', project: 'kitchen', cycles: [weekly] },
]

export let opened: OpenedOver
beforeEach(async () => {
  opened = await openOver()
  await opened.call('put', { batch }, startOfTime)
})

export const assemble = (request: AssembleRequest = {}, at = now) => opened.call('assemble', { query: request }, at)
export const confidenceOf = async (id: string) => (await opened.call('get', { ids: [id] }))[0]?.confidence
