/** The package's version, as `status()` and the tab handshake state it; a test holds it to package.json. */
export const packageVersion = '0.1.0'
