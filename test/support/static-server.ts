/**
 * The demo's static server, under the name the tests know. It lives beside the demo because `npm start` runs it
 * without any build step.
 */
export { serveFolder } from '../../demo/static-server.mjs'
