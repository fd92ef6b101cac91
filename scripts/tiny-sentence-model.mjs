// Writes a tiny sentence model for tests and benchmarks: BERT's encoder with random weights from a seed, a WordPiece tokenizer,
// and the other files that transformers.js reads. Its vectors are meaningless, but it loads and runs like a real model.
//   node scripts/tiny-sentence-model.mjs [folder]
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeFiles } from './tiny-model/files.mjs';
import { FLOAT, Graph, INT64 } from './tiny-model/onnx.mjs';
import { seededNormal } from './tiny-model/random.mjs';
import { wordPieces } from './tiny-model/word-pieces.mjs';

const SEED = 20252;
const TINY = { hidden: 32, layers: 2, heads: 4, inner: 64 };
/** Maximum length of a text, in tokens. */
const LONGEST = 64;

/** The encoder as a graph of basic operations that every execution provider supports. */
class BertGraph {
  #graph = new Graph();
  #normal = seededNormal(SEED);
  #shape;

  constructor(shape) {
    this.#shape = shape;
  }

  /** @returns {Buffer} an ONNX file */
  build(vocabulary) {
    const g = this.#graph;
    const { hidden: width, layers } = this.#shape;
    const ids = g.input('input_ids', INT64, ['batch', 'sequence']);
    const given = g.input('attention_mask', INT64, ['batch', 'sequence']);
    const types = g.input('token_type_ids', INT64, ['batch', 'sequence']);
    const length = g.add('Gather', [g.add('Shape', [ids]), g.integer(1)]);
    const places = g.add('Range', [g.integer(0), length, g.integer(1)]);
    const words = g.add('Gather', [this.#weights('words', [vocabulary, width], 1), ids]);
    const positions = g.add('Gather', [this.#weights('positions', [LONGEST, width], 0.1), places]);
    const kinds = g.add('Gather', [this.#weights('types', [2, width], 0.1), types]);
    const isMissing = g.add('Sub', [g.number(1), this.#asNumbers(g.add('Unsqueeze', [given, g.integers(1, 2)]))]);
    const mask = g.add('Mul', [isMissing, g.number(-1e9)]);
    let hidden = this.#norm(g.add('Add', [g.add('Add', [words, positions]), kinds]), 'norm');
    for (let layer = 0; layer < layers; layer++) hidden = this.#layer(hidden, `layers.${layer}`, mask);
    g.add('Identity', [hidden], { name: 'last_hidden_state' });
    g.output('last_hidden_state', FLOAT, ['batch', 'sequence', width]);
    return g.file('tiny-bert');
  }

  #layer(hidden, name, mask) {
    const g = this.#graph;
    const { hidden: width, inner: wide } = this.#shape;
    const attended = g.add('Add', [hidden, this.#attention(hidden, name, mask)]);
    const middle = this.#norm(attended, `${name}.after attention`);
    const inner = this.#gelu(this.#linear(middle, `${name}.up`, width, wide));
    return this.#norm(
      g.add('Add', [middle, this.#linear(inner, `${name}.down`, wide, width)]),
      `${name}.after feed-forward`,
    );
  }

  #attention(input, name, mask) {
    const g = this.#graph;
    const { hidden: width, heads } = this.#shape;
    const head = width / heads;
    const project = (part) => {
      const split = g.add('Reshape', [
        this.#linear(input, `${name}.${part}`, width, width),
        g.integers(0, -1, heads, head),
      ]);
      return g.add('Transpose', [split], { perm: [0, 2, 1, 3] });
    };
    const keys = g.add('Transpose', [project('key')], { perm: [0, 1, 3, 2] });
    const products = g.add('MatMul', [project('query'), keys]);
    const scores = g.add('Add', [g.add('Mul', [products, g.number(1 / Math.sqrt(head))]), mask]);
    const mixed = g.add('MatMul', [g.add('Softmax', [scores], { axis: -1 }), project('value')]);
    const joined = g.add('Reshape', [g.add('Transpose', [mixed], { perm: [0, 2, 1, 3] }), g.integers(0, -1, width)]);
    return this.#linear(joined, `${name}.out`, width, width);
  }

  #gelu(input) {
    const g = this.#graph;
    const erf = g.add('Erf', [g.add('Mul', [input, g.number(Math.SQRT1_2)])]);
    return g.add('Mul', [g.add('Mul', [input, g.number(0.5)]), g.add('Add', [erf, g.number(1)])]);
  }

  #norm(input, name) {
    const { hidden: width } = this.#shape;
    const scale = this.#graph.constant(`${name}.scale`, [width], new Float32Array(width).fill(1));
    const bias = this.#graph.constant(`${name}.bias`, [width], new Float32Array(width));
    return this.#graph.add('LayerNormalization', [input, scale, bias], { axis: -1 });
  }

  #linear(input, name, from, to) {
    return this.#graph.add('MatMul', [input, this.#weights(name, [from, to], 1 / Math.sqrt(from))]);
  }

  #asNumbers(input) {
    return this.#graph.add('Cast', [input], { to: FLOAT });
  }

  #weights(name, shape, deviation) {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = Float32Array.from({ length: count }, () => deviation * this.#normal());
    return this.#graph.constant(name, shape, values);
  }
}

/**
 * Writes the model's files into a folder.
 * @param {string} folder created if it does not exist
 * @returns {Promise<Record<string, number>>} file names with their sizes in bytes
 */
export function writeTinySentenceModel(folder) {
  const { size, tokenizer, config } = wordPieces(LONGEST);
  const json = (value) => Buffer.from(JSON.stringify(value, null, 1));
  return writeFiles(folder, {
    'config.json': json({
      architectures: ['BertModel'],
      model_type: 'bert',
      hidden_act: 'gelu',
      hidden_size: TINY.hidden,
      intermediate_size: TINY.inner,
      max_position_embeddings: LONGEST,
      num_attention_heads: TINY.heads,
      num_hidden_layers: TINY.layers,
      pad_token_id: 0,
      type_vocab_size: 2,
      vocab_size: size,
    }),
    'tokenizer.json': json(tokenizer),
    'tokenizer_config.json': json(config),
    // The weights are not quantized. The file has this name because transformers.js requests it.
    'onnx/model_quantized.onnx': new BertGraph(TINY).build(size),
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2] ?? fileURLToPath(new URL('../test/fixtures/tiny-sentence-model', import.meta.url));
  console.log(`${folder}\n`, await writeTinySentenceModel(folder));
}
