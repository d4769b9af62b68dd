/** What runs when an opening fails or is the second of its store, in one file that is loaded with the first of them. */
export { checkSame } from './check-same.ts'
export { openRefused } from './link/start-refused.ts'
