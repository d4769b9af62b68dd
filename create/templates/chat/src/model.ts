/** The model of the chat: the one on an OpenAI-compatible server, or without one a scripted model that says so. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { wrapLanguageModel } from 'ai'

type Model = Extract<Parameters<typeof wrapLanguageModel>[0]['model'], { specificationVersion: 'v3' }>
type Call = Parameters<Model['doGenerate']>[0]

/** Set by vite.config.ts from MODEL_NAME; empty without MODEL_URL. */
declare const __MODEL_NAME__: string

export const modelName = __MODEL_NAME__ === '' ? 'scripted' : __MODEL_NAME__

export const model: Model = __MODEL_NAME__ === '' ? scriptedModel() : serverModel(__MODEL_NAME__)

function serverModel(name: string): Model {
  return createOpenAICompatible({ name: 'server', baseURL: new URL('/model', location.href).href })(name)
}

/** Repeats the memories that it was given. */
function scriptedModel(): Model {
  const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      return {
        content: [{ type: 'text', text: answerTo(prompt) }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('The scripted model does not stream: use generateText.')),
  }
}

function answerTo(prompt: Call['prompt']): string {
  const last = prompt.at(-1)
  // The middleware puts the memories in front of the message, as a part of its own.
  const hasMemories = last?.role === 'user' && last.content.length > 1
  return hasMemories
    ? 'I am a script, not a model. A model would now read the memories below and answer from them.'
    : 'I am a script, not a model. I will remember what you said.'
}
