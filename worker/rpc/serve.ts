/**
 * Serves an engine at an endpoint: first `open`, once and with the same protocol version, then calls. The endpoint is
 * filtered: unknown messages are refused before Comlink sees them.
 */
import { type Endpoint, expose } from 'comlink'
import { recallError } from '../../src/core/model/errors.ts'
import { findPolicy } from '../../src/core/policies/find-policy.ts'
import { type EngineCalls, type EngineHost, type Hello, hostMethods } from '../../src/protocol/engine-host.ts'
import type { EngineEvent } from '../../src/protocol/events.ts'
import { checkVersion, protocolVersion } from '../../src/protocol/handshake.ts'
import { convertStore } from '../engine/convert-store.ts'
import { removeStore } from '../engine/remove-store.ts'
import type { ServedEngine } from '../tabs/port.ts'
import { answerCalls, replyWith } from './dispatch.ts'
import { filterEndpoint } from './filter-endpoint.ts'

/** Serves the engine that `openEngine` returns for the first valid `open`. A failed `open` may be repeated. */
export function serve(endpoint: Endpoint, openEngine: (hello: Hello) => Promise<ServedEngine>): void {
  let calls: EngineCalls | undefined
  let opening: Promise<ServedEngine> | undefined
  let erase: (() => void) | undefined
  const host: EngineHost = {
    open: (hello) =>
      replyWith(async () => {
        checkVersion(hello?.version)
        if (opening) throw recallError('INVALID_ARGUMENT', 'This worker has already opened its engine')
        findPolicy(hello.options.policy, 'policy')
        opening = openEngine(hello)
        try {
          const engine = await opening
          engine.subscribe((event) => hello.events.postMessage(event))
          hello.events.postMessage({ type: 'ready' } satisfies EngineEvent)
          calls = answerCalls(engine)
          erase = engine.erase
        } catch (error) {
          opening = undefined
          throw error
        }
        return { version: protocolVersion }
      }),
    call: (request) => (calls ? calls.call(request) : replyWith(() => Promise.reject(notOpen()))),
    cancel: (id) => calls?.cancel(id),
    erase: () => erase?.(),
    remove: (request) =>
      replyWith(async () => {
        checkVersion(request?.version)
        return { deleted: await removeStore(request.name) }
      }),
    convert: (request) =>
      replyWith(async () => {
        checkVersion(request?.version)
        return { changed: await convertStore(request) }
      }),
  }
  expose(host, filterEndpoint(endpoint, hostMethods))
}

function notOpen() {
  return recallError('INVALID_ARGUMENT', 'The engine must be open before calls', {
    hint: 'Send open first, and wait for its answer.',
  })
}
