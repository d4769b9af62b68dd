/**
 * The parts of the official SDK that the server uses. The build bundles the SDK into this one file (bundle-sdk.mjs), so that `npx scrubjay`
 * needs no other package, and that apps in browsers install none for it.
 */
export {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server'
export { StdioServerTransport, serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio'
