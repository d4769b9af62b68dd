/** Opens clients over a scripted engine, and closes them after each test of the importing file. */
import { afterEach } from 'vitest'
import { type BoundClient, connect } from '../../support/scripted-engine.ts'

export const never = () => new Promise<never>(() => {})
const opened: BoundClient[] = []

export async function open(...args: Parameters<typeof connect>): Promise<BoundClient> {
  const client = await connect(...args)
  opened.push(client)
  return client
}

afterEach(async () => {
  for (const { recall } of opened.splice(0)) await recall.close()
})

export function raw(value: unknown) {
  return { type: 'RAW', value }
}

export function apply(method: string, values: readonly unknown[]) {
  return { type: 'APPLY', path: [method], argumentList: values.map(raw) }
}

/** Posts one message as a peer that writes Comlink's protocol by hand; resolves to the answer. */
export function ask(port: MessagePort, message: object): Promise<unknown> {
  const id = `hostile-${Math.random()}`
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent) => {
      if (data?.id === id) resolve(data)
    })
    port.start()
    port.postMessage({ id, ...message })
  })
}
