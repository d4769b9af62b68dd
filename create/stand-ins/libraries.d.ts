/** For `npm run types` here: what templates use of libraries that only the apps install. `npm run hosts` checks against their own types. */
import type { wrapLanguageModel } from 'ai'
import type { Plugin } from 'vite'
import type {} from 'vite/client'

export function createOpenAICompatible(settings: {
  readonly name: string
  readonly baseURL: string
}): (model: string) => Extract<Parameters<typeof wrapLanguageModel>[0]['model'], { specificationVersion: 'v3' }>

export function VitePWA(options: object): Plugin[]
