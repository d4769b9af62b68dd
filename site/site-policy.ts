/** The Content-Security-Policy of the site: as of the demos, and the demo may be shown in a frame of the same site. */
import { securityPolicy } from '../demo/security-policy.mjs'

export const pagePolicy = `${securityPolicy().page}; frame-src 'self'`
export const headerPolicy = `${pagePolicy}; frame-ancestors 'self'`
