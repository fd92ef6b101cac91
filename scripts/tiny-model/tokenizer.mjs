// Trains a byte-level BPE tokenizer like Qwen2's on a short text.

export const CORPUS = `The first worker solves the question on its own, the second one solves it another way, and the third
compares both answers and decides. Write the plan as three lists: model_id, subtasks and access_list. Each subtask says in
plain words what to do. Check every number again, then give the final answer in one line. Read the problem twice; name the
unknowns; try small cases first. If two answers differ, find the step where they part. Explain why the answer is right, and
what could be wrong with it. Compute the sum, the product, the remainder. "all" means that a step sees what was said before.
model_id = [0, 1, 2]\nsubtasks = ["Solve it.", "Solve it another way.", "Decide."]\naccess_list = [[], [], "all"]`;

export const END_OF_TEXT = '<|endoftext|>';
const BEGIN_OF_TURN = '<|im_start|>';
export const END_OF_TURN = '<|im_end|>';

/**
 * Matches the words of a text, as in GPT-2's tokenizer. Merges stay within a word. The tokenizer's option
 * `use_regex` applies the same rule.
 */
const WORDS = /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

const CHAT_TEMPLATE =
  `{% for message in messages %}{{ '${BEGIN_OF_TURN}' + message['role'] + '\\n' + message['content'] + '${END_OF_TURN}' + '\\n' }}{% endfor %}` +
  `{% if add_generation_prompt %}{{ '${BEGIN_OF_TURN}assistant\\n' }}{% endif %}`;

/** Maps every byte to a printable character. Printable bytes keep their character. The others get characters after U+00FF. */
function byteCharacters() {
  const prints = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let spare = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(prints(byte) ? byte : spare++));
}

function trainMerges(characters, count) {
  const words = [...CORPUS.matchAll(WORDS)].map(([word]) => [...Buffer.from(word)].map((byte) => characters[byte]));
  const merges = [];
  while (merges.length < count) {
    const pairs = new Map();
    for (const word of words) {
      for (let at = 1; at < word.length; at++) {
        const pair = `${word[at - 1]} ${word[at]}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    }
    const [best] = [...pairs].sort(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1))[0] ?? [];
    if (!best) break;
    merges.push(best);
    const [left, right] = best.split(' ');
    for (const word of words) {
      for (let at = 1; at < word.length; at++) {
        if (word[at - 1] === left && word[at] === right) word.splice(at - 1, 2, left + right);
      }
    }
  }
  return merges;
}

/**
 * Trains the tokenizer on `CORPUS`.
 * @param {number} merges the maximum number of tokens that are longer than one byte
 */
export function trainTokenizer(merges) {
  const characters = byteCharacters();
  const rules = trainMerges(characters, merges);
  const tokens = [...characters, ...rules.map((rule) => rule.replace(' ', ''))];
  const special = [END_OF_TEXT, BEGIN_OF_TURN, END_OF_TURN].map((content, index) => ({
    id: tokens.length + index,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true };
  return {
    size: tokens.length + special.length,
    idOf: (content) => special.find((token) => token.content === content)?.id,
    tokenizer: {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: special,
      normalizer: { type: 'NFC' },
      pre_tokenizer: byteLevel,
      post_processor: byteLevel,
      decoder: byteLevel,
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: '',
        end_of_word_suffix: '',
        fuse_unk: false,
        byte_fallback: false,
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges: rules,
      },
    },
    config: {
      add_prefix_space: false,
      added_tokens_decoder: Object.fromEntries(special.map(({ id, ...token }) => [id, token])),
      additional_special_tokens: [BEGIN_OF_TURN, END_OF_TURN],
      bos_token: null,
      chat_template: CHAT_TEMPLATE,
      clean_up_tokenization_spaces: false,
      eos_token: END_OF_TURN,
      errors: 'replace',
      model_max_length: 32768,
      pad_token: END_OF_TEXT,
      split_special_tokens: false,
      tokenizer_class: 'Qwen2Tokenizer',
      unk_token: null,
    },
  };
}
