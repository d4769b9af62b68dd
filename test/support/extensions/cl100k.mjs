/** Counts tokens exactly, as an app would: js-tiktoken with the ranks of cl100k. In a page, bundle this module and serve it. */
import { Tiktoken } from 'js-tiktoken/lite'
import ranks from 'js-tiktoken/ranks/cl100k_base'

const encoder = new Tiktoken(ranks)

/** Text that looks like a special token is text. */
export const countTokens = (text) => encoder.encode(text, [], []).length
