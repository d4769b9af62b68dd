/** The lock of stores whose processes are killed. A raw key, because a passphrase would take most of their time. */
export const killLock = { key: Uint8Array.from({ length: 32 }, (_, i) => 7 * i) }
