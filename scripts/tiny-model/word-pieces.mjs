// Makes a WordPiece tokenizer like BERT's. It converts texts to lower case. Its vocabulary contains the words of a short text,
// and all printable ASCII characters except capitals. Any other ASCII word is split into characters.
import { CORPUS } from './tokenizer.mjs';

const PAD = '[PAD]';
const UNKNOWN = '[UNK]';
const FIRST = '[CLS]';
const LAST = '[SEP]';
const MASK = '[MASK]';
const SPECIAL = [PAD, UNKNOWN, FIRST, LAST, MASK];
const CONTINUATION = '##';

function vocabulary() {
  const words = new Set(CORPUS.toLowerCase().match(/[a-z]{2,}/g));
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const characters = printable.filter((character) => character === character.toLowerCase());
  return [...SPECIAL, ...characters, ...characters.map((character) => CONTINUATION + character), ...words];
}

/** @param {number} longest the maximum number of tokens of a text, including `[CLS]` and `[SEP]` */
export function wordPieces(longest) {
  const tokens = vocabulary();
  const idOf = (token) => tokens.indexOf(token);
  const added = SPECIAL.map((content) => ({
    id: idOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const special = (id) => ({ SpecialToken: { id, type_id: 0 } });
  const sequence = (id) => ({ Sequence: { id, type_id: 0 } });
  const template = (id) => [id, { id, ids: [idOf(id)], tokens: [id] }];
  return {
    size: tokens.length,
    tokenizer: {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: added,
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [special(FIRST), sequence('A'), special(LAST)],
        pair: [special(FIRST), sequence('A'), special(LAST), sequence('B'), special(LAST)],
        special_tokens: Object.fromEntries([FIRST, LAST].map(template)),
      },
      decoder: { type: 'WordPiece', prefix: CONTINUATION, cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: UNKNOWN,
        continuing_subword_prefix: CONTINUATION,
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      },
    },
    config: {
      added_tokens_decoder: Object.fromEntries(added.map(({ id, ...token }) => [id, token])),
      clean_up_tokenization_spaces: true,
      cls_token: FIRST,
      do_lower_case: true,
      mask_token: MASK,
      model_max_length: longest,
      pad_token: PAD,
      sep_token: LAST,
      strip_accents: null,
      tokenize_chinese_chars: true,
      tokenizer_class: 'BertTokenizer',
      unk_token: UNKNOWN,
    },
  };
}
