/** Devices that have the same records, for tests of merging. */
import type { RecordInput } from '../../../src/core/model/record.ts'
import { startOfTime } from './open-engine.ts'
import { asDevice, type OpenedOver, openOver } from './open-over.ts'
import { exported, imported, portableOptions } from './portable.ts'

export const base: RecordInput = {
  id: 'plan',
  title: 'Plan',
  body: 'the plan',
  tags: ['first', 'second'],
  metadata: { colour: 'red', size: 1 },
  relations: [{ kind: 'about', target: 'elsewhere' }],
}

export async function open(name: string): Promise<OpenedOver> {
  return asDevice(await openOver(portableOptions), name)
}

/** Devices that have the same records. */
export async function openEqual(
  names: readonly string[],
  batch: readonly RecordInput[],
): Promise<readonly OpenedOver[]> {
  const [one, ...others] = await Promise.all(names.map(open))
  await one!.call('put', { batch })
  const bytes = await exported(one!)
  for (const other of others) await imported(other, bytes, 'merge')
  return [one!, ...others]
}

export const patch = (device: OpenedOver, id: string, fields: Partial<RecordInput>, at = 1) =>
  device.call('patch', { id, fields }, startOfTime + at)

export const get = async (device: OpenedOver, id: string) => (await device.call('get', { ids: [id] }))[0]!

export const bytesOf = async (device: OpenedOver) => Buffer.from(await exported(device)).toString('base64')
