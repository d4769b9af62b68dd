/** Reads config.json and tokenizer.json of an encoder, and refuses what the kernel cannot run. */
import { recallError } from '../../core/model/errors.ts'

export interface EncoderConfig {
  readonly dimensions: number
  readonly inner: number
  readonly layers: number
  readonly heads: number
  readonly positions: number
  readonly epsilon: number
}

/** Throws `INVALID_ARGUMENT` for a model that is not a BERT encoder of 384 to 768 dimensions. */
export function readConfig(text: string): EncoderConfig {
  const config = parse(text, 'config')
  const number = (name: string, least: number, most: number) => {
    const value = config[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    throw invalid(`config.${name}`, value, `must be an integer from ${least} to ${most}`)
  }
  const one = (name: string, allowed: readonly unknown[]) => {
    if (!allowed.includes(config[name]))
      throw invalid(`config.${name}`, config[name], `must be ${JSON.stringify(allowed[0])}`)
  }
  one('model_type', ['bert'])
  one('hidden_act', ['gelu'])
  one('position_embedding_type', ['absolute', undefined])
  const dimensions = number('hidden_size', 384, 768)
  const inner = number('intermediate_size', 64, 4_096)
  const heads = number('num_attention_heads', 1, 24)
  if (dimensions % 64 !== 0) throw invalid('config.hidden_size', dimensions, 'must be a multiple of 64')
  if (inner % 64 !== 0) throw invalid('config.intermediate_size', inner, 'must be a multiple of 64')
  if (![32, 64].includes(dimensions / heads))
    throw invalid('config.num_attention_heads', heads, `must be ${dimensions / 32} or ${dimensions / 64}`)
  const epsilon = config['layer_norm_eps']
  if (typeof epsilon !== 'number' || !(epsilon >= 0 && epsilon < 1))
    throw invalid('config.layer_norm_eps', epsilon, 'must be a number from 0 to 1')
  return {
    dimensions,
    inner,
    heads,
    layers: number('num_hidden_layers', 1, 24),
    positions: number('max_position_embeddings', 8, 8_192),
    epsilon,
  }
}

export interface Vocabulary {
  readonly words: readonly string[]
  /** The row of each word in the table of the model. */
  readonly rows: readonly number[]
  readonly lowercase: boolean
}

/** The words that a text can have; without those that no text has. Throws `INVALID_ARGUMENT` for another tokenizer than BERT's. */
export function readVocabulary(text: string): Vocabulary {
  const { model, normalizer } = parse(text, 'tokenizer') as Partial<Tokenizer>
  const require = (is: boolean, field: string, value: unknown, problem: string) => {
    if (!is) throw invalid(`tokenizer.${field}`, value, problem)
  }
  require(model?.type === 'WordPiece', 'model.type', model?.type, 'must be "WordPiece"')
  const { vocab, continuing_subword_prefix: prefix = '##', max_input_chars_per_word: most = 100 } = model!
  require(prefix === '##', 'model.continuing_subword_prefix', prefix, 'must be "##"')
  require(most === 100, 'model.max_input_chars_per_word', most, 'must be 100')
  require(normalizer?.type === 'BertNormalizer', 'normalizer.type', normalizer?.type, 'must be "BertNormalizer"')
  const { lowercase = true, strip_accents: strips = null, clean_text: cleans = true } = normalizer!
  require(cleans, 'normalizer.clean_text', cleans, 'must be true')
  require(normalizer!.handle_chinese_chars !== false, 'normalizer.handle_chinese_chars', false, 'must be true')
  require((strips ?? lowercase) === lowercase, 'normalizer.strip_accents', strips, `must be ${lowercase}`)
  require(typeof vocab === 'object' && vocab !== null, 'model.vocab', typeof vocab, 'must map words to numbers')
  const kept = Object.entries(vocab)
    .filter(([word, row]) => Number.isInteger(row) && !neverInTexts.test(word) && !word.includes('\n'))
    .sort(([, a], [, b]) => a - b)
  const words = kept.map(([word]) => word)
  for (const word of ['[UNK]', '[CLS]', '[SEP]'])
    require(words.includes(word), 'model.vocab', word, `must have the word ${word}`)
  return { words, rows: kept.map(([, row]) => row), lowercase }
}

const neverInTexts = /^\[(?:unused\d+|PAD|MASK)\]$/

interface Tokenizer {
  readonly model: {
    readonly type?: string
    readonly continuing_subword_prefix?: string
    readonly max_input_chars_per_word?: number
    readonly vocab: Readonly<Record<string, number>>
  }
  readonly normalizer: {
    readonly type?: string
    readonly lowercase?: boolean
    readonly strip_accents?: boolean | null
    readonly clean_text?: boolean
    readonly handle_chinese_chars?: boolean
  }
}

function parse(text: string, field: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Refused below.
  }
  throw invalid(field, text.slice(0, 40), 'must be a JSON object')
}

function invalid(field: string, value: unknown, problem: string) {
  return recallError('INVALID_ARGUMENT', problem, {
    field,
    value,
    hint: 'Convert an encoder of the BERT family: WordPiece, 384 to 768 dimensions, heads of 32 or 64.',
  })
}
