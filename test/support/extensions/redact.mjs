/** Hides the word ACORN; an extension module without imports. */
export const redact = (text) => text.replaceAll(/ACORN-\d+/g, '[hidden]')
