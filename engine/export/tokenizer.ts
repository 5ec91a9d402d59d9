import { type Saved, savedTokenizer } from '../data/tokenizers/index.ts'
import { PIECES } from '../data/tokenizers/pieces.ts'
import { SPECIAL, SPECIAL_TEXTS } from '../data/tokenizers/types.ts'

/**
 * A tokenizer in the form of Hugging Face's `tokenizers` (tokenizer.json), which gives the same ids: words as WordPiece
 * without parts of words, characters as BPE without merges, byte pairs as byte-level BPE. Texts are lower-cased as a whole
 * there, which differs for `İ` and for a Greek sigma at the end of a word, and of byte pairs for `'S` and the like.
 * `tokens` is the length of an example. Null for byte pairs of which two have the same text, for which there is no such
 * file.
 */
export function tokenizerFile(saved: string, tokens: number): string | null {
  const tokenizer = savedTokenizer(saved)
  const model = modelOf(tokenizer)
  if (!model) return null
  const special = (id: number) => ({ id, content: SPECIAL_TEXTS[id], single_word: false, lstrip: false, rstrip: false })
  const file = {
    version: '1.0',
    truncation: { direction: 'Right', max_length: tokens, strategy: 'LongestFirst', stride: 0 },
    padding: {
      strategy: { Fixed: tokens },
      direction: 'Right',
      pad_to_multiple_of: null,
      pad_id: SPECIAL.pad,
      pad_type_id: 0,
      pad_token: SPECIAL_TEXTS[SPECIAL.pad],
    },
    added_tokens: SPECIAL_TEXTS.map((_, id) => ({ ...special(id), normalized: false, special: true })),
    normalizer: tokenizer.lowercase ? { type: 'Lowercase' } : null,
    pre_tokenizer: cutOf(tokenizer.kind),
    post_processor: template(),
    decoder: tokenizer.kind === 'bytePairs' ? { type: 'ByteLevel' } : null,
    model,
  }
  return `${JSON.stringify(file, null, 1)}\n`
}

const split = (pattern: string) => ({ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false })

/** How a text is cut before tokens are looked for; the patterns are those of data/tokenizers. */
function cutOf(kind: Saved['kind']): object | null {
  if (kind === 'characters') return null
  if (kind === 'bytePairs') {
    const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false }
    return { type: 'Sequence', pretokenizers: [split(PIECES.source), bytes] }
  }
  const word = '(?:(?!\\p{Ideographic})[\\p{L}\\p{M}\\p{N}])+'
  const pretokenizers = [split(`\\p{Ideographic}|${word}|\\S`), { type: 'WhitespaceSplit' }]
  return { type: 'Sequence', pretokenizers }
}

function modelOf(saved: Saved): object | null {
  const unknown = SPECIAL_TEXTS[SPECIAL.unknown]
  if (saved.kind === 'bytePairs') return bytePairs(saved.merges)
  const vocab = Object.fromEntries([...SPECIAL_TEXTS, ...saved.tokens].map((text, id) => [text, id]))
  if (saved.kind === 'characters') return { type: 'BPE', unk_token: unknown, fuse_unk: false, vocab, merges: [] }
  const longest = Number.MAX_SAFE_INTEGER
  return {
    type: 'WordPiece',
    unk_token: unknown,
    continuing_subword_prefix: '##',
    max_input_chars_per_word: longest,
    vocab,
  }
}

function bytePairs(merges: readonly (readonly [number, number])[]): object | null {
  const texts: string[] = [...SPECIAL_TEXTS, ...byteTexts()]
  const pairs = merges.map(([left, right]) => {
    const [head, tail] = [texts[left] as string, texts[right] as string]
    texts.push(head + tail)
    return [head, tail]
  })
  if (new Set(texts).size < texts.length) return null
  const vocab = Object.fromEntries(texts.map((text, id) => [text, id]))
  return { type: 'BPE', unk_token: null, fuse_unk: false, vocab, merges: pairs }
}

/** The sign of each byte in byte-level vocabularies (Radford et al. 2019, `bytes_to_unicode`). */
function byteTexts(): string[] {
  let next = 256
  const shown = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(shown(byte) ? byte : next++))
}

/** [CLS] first [SEP], or [CLS] first [SEP] second [SEP]. */
function template(): object {
  const [first, separator] = [SPECIAL_TEXTS[SPECIAL.first], SPECIAL_TEXTS[SPECIAL.separator]] as [string, string]
  const special = (id: string, type_id = 0) => ({ SpecialToken: { id, type_id } })
  const text = (id: string, type_id = 0) => ({ Sequence: { id, type_id } })
  const token = (id: string, number: number) => [id, { id, ids: [number], tokens: [id] }]
  const single = [special(first), text('A'), special(separator)]
  return {
    type: 'TemplateProcessing',
    single,
    pair: [...single, text('B', 1), special(separator, 1)],
    special_tokens: Object.fromEntries([token(first, SPECIAL.first), token(separator, SPECIAL.separator)]),
  }
}
