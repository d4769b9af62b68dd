/**
 * The platform's types where an app's own types have them (TypeScript's `lib: ["dom"]`), and what is needed of them where
 * they have not: the published types also pass in a project for Node.
 */

export type PageWorker = typeof globalThis extends { readonly Worker: { readonly prototype: infer Instance } }
  ? Instance
  : WorkerLike

/** What is needed of a `Worker`. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: readonly unknown[]): void
  terminate(): void
}

export type PageElement = typeof globalThis extends { readonly HTMLElement: { readonly prototype: infer Instance } }
  ? Instance
  : object
