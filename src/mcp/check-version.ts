/** Refuses requests that claim another version of the protocol than their connection speaks. The SDK checks the first request only. */
import { type StdioServerTransport, UnsupportedProtocolVersionError } from './sdk.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Wraps a transport that is being served. `spoken` answers undefined until a connection speaks a version whose requests name it. */
export function refuseOtherVersions(
  transport: StdioServerTransport,
  spoken: () => string | undefined,
  onError: (error: Error) => void,
): void {
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    const version = spoken()
    const requested = 'id' in message && 'method' in message ? message.params?._meta?.[versionKey] : undefined
    if (version === undefined || typeof requested !== 'string' || requested === version) return receive?.(message)
    const { code, message: reason, data } = new UnsupportedProtocolVersionError({ supported: [version], requested })
    transport
      .send({ jsonrpc: '2.0', id: (message as { readonly id: string }).id, error: { code, message: reason, data } })
      .catch(onError)
  }
}
