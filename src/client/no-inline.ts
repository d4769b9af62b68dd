/**
 * Replaces the inline engine if `#inline` is resolved for a browser, so that pages do not bundle a second engine. Node also gets this
 * file in tests that resolve like a browser (Jest with jsdom). There it loads the real engine in a way that bundlers do not follow.
 */
import type {
  convertFile as Convert,
  destroyFile as Destroy,
  listFiles as List,
  locateFile as Locate,
  openInline as Open,
  salvageFile as Salvage,
  startThread as Start,
} from '../../worker/inline.ts'
import { recallError } from '../core/model/errors.ts'

/** Opens an inline engine, like `openInline` of worker/inline.ts. Rejects with `INVALID_CONFIG` outside of Node. */
export const openInline: typeof Open = async (...given) => {
  if (!isNode()) {
    throw recallError('INVALID_CONFIG', 'must be "auto" or "worker", because this is a bundle for browsers', {
      field: 'runtime',
      value: 'inline',
      hint: 'Use "auto" or "worker".',
    })
  }
  const missing = needed.filter((name) => !(name in globalThis))
  if (missing.length > 0) {
    throw recallError('INVALID_CONFIG', `must find ${missing.join(', ')}, which this test environment lacks`, {
      field: 'runtime',
      hint: 'Use testEnvironment "node", or "jest-fixed-jsdom", which is jsdom with the globals of Node.',
    })
  }
  const real = (await load('../../worker/inline.js')) as { readonly openInline: typeof Open }
  return real.openInline(...given)
}

/** Starts an engine's thread, like `startThread` of worker/inline.ts. Called only in Node. */
export async function startThread(url?: URL): Promise<ReturnType<typeof Start>> {
  const real = (await load('../../worker/inline.js')) as { readonly startThread: typeof Start }
  return real.startThread(url)
}

/** Returns the real path of a store's file, like `locateFile` of worker/inline.ts. Throws `INVALID_CONFIG` outside of Node. */
export async function locateFile(path: string): Promise<string> {
  if (!isNode()) {
    throw recallError('INVALID_CONFIG', 'must be absent, because only Node keeps a store in a file', {
      field: 'path',
      value: path,
      hint: 'Give a name: browsers keep the store in their own storage.',
    })
  }
  const real = (await load('../../worker/inline.js')) as { readonly locateFile: typeof Locate }
  return real.locateFile(path)
}

/** Lists the stores in a folder, like `listFiles` of worker/inline.ts. Called only in Node. */
export async function listFiles(folder: string): Promise<ReturnType<typeof List>> {
  const real = (await load('../../worker/inline.js')) as { readonly listFiles: typeof List }
  return real.listFiles(folder)
}

const needed = ['TextEncoder', 'TextDecoder', 'structuredClone']

/** Bundlers do not follow an import whose path is a parameter. */
function load(path: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ path)
}

function isNode(): boolean {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }
  return process?.versions?.node !== undefined
}

/** Deletes the store in a file, like `destroyFile` of worker/inline.ts. Called only in Node. */
export async function destroyFile(path: string): Promise<boolean> {
  const real = (await load('../../worker/inline.js')) as { readonly destroyFile: typeof Destroy }
  return real.destroyFile(path)
}

/** Encrypts or decrypts a file, like `convertFile` of worker/inline.ts. Called only in Node. */
export async function convertFile(...given: Parameters<typeof Convert>): ReturnType<typeof Convert> {
  const real = (await load('../../worker/inline.js')) as { readonly convertFile: typeof Convert }
  return real.convertFile(...given)
}

/** Salvages the store in a file, like `salvageFile` of worker/inline.ts. Called only in Node. */
export async function salvageFile(...given: Parameters<typeof Salvage>): ReturnType<typeof Salvage> {
  const real = (await load('../../worker/inline.js')) as { readonly salvageFile: typeof Salvage }
  return real.salvageFile(...given)
}
