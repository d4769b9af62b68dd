/** Version of the package, for `status()` and the handshake of tabs. A test compares it with package.json. */
export const packageVersion = '0.1.0'
