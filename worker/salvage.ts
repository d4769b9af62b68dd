/** The worker of `scrubjay/salvage`: opens a damaged store, and returns an export of its readable records in parts. */
import { type Endpoint, expose } from 'comlink'
import { recallError } from '../src/core/model/errors.ts'
import { checkVersion } from '../src/protocol/handshake.ts'
import { type SalvageHost, salvageMethods } from '../src/protocol/salvage.ts'
import { replyWith } from './rpc/dispatch.ts'
import { filterEndpoint } from './rpc/filter-endpoint.ts'
import { openSalvage } from './salvage/open-salvage.ts'
import type { OpenSalvage } from './salvage/salvage-of.ts'
import { initSqlite } from './sqlite/init-sqlite.ts'

serveSalvage(self)

function serveSalvage(endpoint: Endpoint): void {
  let opened: OpenSalvage | undefined
  let parts: Generator<Uint8Array<ArrayBuffer>, void, undefined> | undefined
  const host: SalvageHost = {
    open: (request) =>
      replyWith(async () => {
        checkVersion(request?.version)
        opened?.close()
        opened = await openSalvage(await initSqlite({ wasmUrl: request.sqliteWasm }), request)
        return opened.receipt
      }),
    part: (number) =>
      replyWith(async () => {
        if (opened === undefined) throw recallError('INVALID_ARGUMENT', 'The salvage must be opened before it is read')
        if (number === 0) parts = opened.exportParts()
        return parts?.next().value ?? null
      }),
  }
  expose(host, filterEndpoint(endpoint, salvageMethods))
}
