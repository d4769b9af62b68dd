/** Which scenarios of the suite apply to `scrubjay mcp`, and why the others do not. */

/** The scenarios that must pass, for each version of the protocol. */
export const applicable = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'caching',
    'input-required-result-unsupported-methods',
  ],
}

const ownServer = "uses a tool, prompt or resource of the suite's own server"
const http = 'tests HTTP, and this server speaks stdio'

/** Scenarios that do not apply, by their reasons. A name that ends with `*` stands for all that begin with it. */
export const reasons = {
  [ownServer]: [
    'tools-call-*',
    'elicitation-*',
    'resources-read-*',
    'resources-templates-read',
    'prompts-get-*',
    'json-schema-2020-12',
    'input-required-result-*',
  ],
  'this server offers no completion': ['completion-complete'],
  'this server sends no log messages': ['logging-set-level'],
  'this server offers no subscriptions to resources': ['resources-subscribe', 'resources-unsubscribe'],
  'this server does not offer the extension for tasks': ['tasks-*'],
  [http]: ['dns-rebinding-protection', 'server-session-lifecycle', 'server-sse-*', 'http-*'],
}

/** Single checks of applicable scenarios that do not apply. */
export const checkReasons = {
  [ownServer]: [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
  [http]: [
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-meta-invalid-400',
    'sep-2575-http-server-unsupported-version-400',
    'sep-2575-http-server-header-mismatch-400',
    'sep-2575-http-server-method-not-found-404*',
  ],
}

/**
 * @param {Readonly<Record<string, readonly string[]>>} lists
 * @param {string} name
 * @returns {string | undefined} the reason why it does not apply
 */
export function reasonOf(lists, name) {
  const isNamed = (pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)
  return Object.entries(lists).find(([, patterns]) => patterns.some(isNamed))?.[0]
}
