/**
 * Types of the browser that also work without TypeScript's `lib: ["dom"]`: the real type where the app's project has it, otherwise the
 * part that is needed. So the published types pass in a project for Node, too.
 */

export type PageWorker = typeof globalThis extends { readonly Worker: { readonly prototype: infer Instance } }
  ? Instance
  : WorkerLike

/** The part of `Worker` that is needed. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: readonly unknown[]): void
  terminate(): void
}

export type PageElement = typeof globalThis extends { readonly HTMLElement: { readonly prototype: infer Instance } }
  ? Instance
  : object
