// Writes a tiny language model for tests, with all files that transformers.js reads. The model has
// Qwen2's architecture with a KV cache and seeded random weights. It runs like a real model, but
// its output is meaningless. Benchmarks also use `writeTinyModel` to make a larger model.
//   node scripts/tiny-model.mjs [folder]
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeFiles } from './tiny-model/files.mjs';
import { BOOL, FLOAT, Graph, INT64 } from './tiny-model/onnx.mjs';
import { seededNormal } from './tiny-model/random.mjs';
import { END_OF_TEXT, END_OF_TURN, trainTokenizer } from './tiny-model/tokenizer.mjs';

const SEED = 20251;
const TINY = { hidden: 64, layers: 2, heads: 4, keyHeads: 2, inner: 96 };
const CONTEXT = 8192;
const ROPE_BASE = 10_000;
const EPSILON = 1e-6;
const MERGES = 220;

/** The causal language model as an ONNX graph. Uses only basic operations that every execution provider supports. */
class Qwen2Graph {
  #graph = new Graph();
  #normal = seededNormal(SEED);
  #shape;
  /** Width of one attention head. */
  #head;

  constructor(shape) {
    this.#shape = shape;
    this.#head = shape.hidden / shape.heads;
  }

  /** @returns {Buffer} an ONNX file */
  build(vocabulary) {
    const g = this.#graph;
    const { hidden: width, layers } = this.#shape;
    const ids = g.input('input_ids', INT64, ['batch', 'sequence']);
    g.input('attention_mask', INT64, ['batch', 'total']);
    g.input('position_ids', INT64, ['batch', 'sequence']);
    const embedding = this.#weights('embedding', [vocabulary, width], 0.05);
    const shared = this.#sharedTerms(ids);
    let hidden = g.add('Gather', [embedding, ids]);
    for (let layer = 0; layer < layers; layer++) hidden = this.#layer(hidden, layer, shared);
    const last = this.#norm(hidden, 'norm');
    g.add('MatMul', [last, g.add('Transpose', [embedding], { perm: [1, 0] })], { name: 'logits' });
    g.output('logits', FLOAT, ['batch', 'sequence', vocabulary]);
    return g.file('tiny-qwen2');
  }

  #weights(name, shape, deviation) {
    const count = shape.reduce((product, size) => product * size, 1);
    return this.#graph.constant(
      name,
      shape,
      Float32Array.from({ length: count }, () => deviation * this.#normal()),
    );
  }

  /**
   * Declares the inputs and outputs of the KV cache. Returns the values that all layers use: the attention mask, and the cosines
   * and sines of the rotary position embedding.
   */
  #sharedTerms(ids) {
    const g = this.#graph;
    const { layers, keyHeads } = this.#shape;
    const head = this.#head;
    for (let layer = 0; layer < layers; layer++) {
      for (const part of ['key', 'value']) {
        g.input(`past_key_values.${layer}.${part}`, FLOAT, ['batch', keyHeads, 'past', head]);
        g.output(`present.${layer}.${part}`, FLOAT, ['batch', keyHeads, 'total', head]);
      }
    }
    const sizeOf = (name, axis) => g.add('Gather', [g.add('Shape', [name]), g.integer(axis)]);
    const past = sizeOf('past_key_values.0.key', 2);
    const total = g.add('Add', [past, sizeOf(ids, 1)]);
    const rangeOf = (from, axis) => {
      const range = g.add('Range', [from, total, g.integer(1)]);
      return g.add('Unsqueeze', [range, g.integers(axis)]);
    };
    const isEarlier = g.add('LessOrEqual', [rangeOf(g.integer(0), 0), rangeOf(past, 1)]);
    const isGiven = g.add('Cast', [g.add('Unsqueeze', ['attention_mask', g.integers(1, 2)])], { to: BOOL });
    const mask = g.add('Where', [g.add('And', [isEarlier, isGiven]), g.number(0), g.number(-1e9)]);

    const frequencies = Float32Array.from({ length: head / 2 }, (_, pair) => ROPE_BASE ** ((-2 * pair) / head));
    const positions = g.add('Cast', [g.add('Unsqueeze', ['position_ids', g.integers(1, 3)])], { to: FLOAT });
    const half = g.add('Mul', [positions, g.constant('frequencies', [1, 1, 1, head / 2], frequencies)]);
    const angles = g.add('Concat', [half, half], { axis: -1 });
    return { mask, cosine: g.add('Cos', [angles]), sine: g.add('Sin', [angles]) };
  }

  #layer(hidden, layer, shared) {
    const g = this.#graph;
    const { hidden: width, inner: wide } = this.#shape;
    const name = (part) => `layers.${layer}.${part}`;
    const attended = this.#attention(this.#norm(hidden, name('before attention')), layer, shared);
    const middle = g.add('Add', [hidden, attended]);
    const input = this.#norm(middle, name('before feed-forward'));
    const gate = this.#linear(input, name('gate'), width, wide);
    const gated = g.add('Mul', [gate, g.add('Sigmoid', [gate])]);
    const inner = g.add('Mul', [gated, this.#linear(input, name('up'), width, wide)]);
    return g.add('Add', [middle, this.#linear(inner, name('down'), wide, width)]);
  }

  #attention(input, layer, { mask, cosine, sine }) {
    const g = this.#graph;
    const { hidden: width, heads: queryHeads, keyHeads } = this.#shape;
    const head = this.#head;
    const name = (part) => `layers.${layer}.${part}`;
    const project = (part, heads) => {
      const size = heads * head;
      const flat = this.#linear(input, name(part), width, size);
      const biased = g.add('Add', [flat, this.#weights(name(`${part} bias`), [size], 0.01)]);
      const split = g.add('Reshape', [biased, g.integers(0, -1, heads, head)]);
      return g.add('Transpose', [split], { perm: [0, 2, 1, 3] });
    };
    const rotate = (heads) => {
      const slice = (from, to) => g.add('Slice', [heads, g.integers(from), g.integers(to), g.integers(3)]);
      const turned = g.add('Concat', [g.add('Neg', [slice(head / 2, head)]), slice(0, head / 2)], { axis: -1 });
      return g.add('Add', [g.add('Mul', [heads, cosine]), g.add('Mul', [turned, sine])]);
    };
    const remember = (part, now) => {
      const past = `past_key_values.${layer}.${part}`;
      return g.add('Concat', [past, now], { axis: 2, name: `present.${layer}.${part}` });
    };
    const forEachQuery = (heads) => {
      const wide = g.add('Unsqueeze', [heads, g.integers(2)]);
      const repeated = g.add('Concat', Array(queryHeads / keyHeads).fill(wide), { axis: 2 });
      return g.add('Reshape', [repeated, g.integers(0, queryHeads, -1, head)]);
    };

    const query = rotate(project('query', queryHeads));
    const key = forEachQuery(remember('key', rotate(project('key', keyHeads))));
    const value = forEachQuery(remember('value', project('value', keyHeads)));
    const products = g.add('MatMul', [query, g.add('Transpose', [key], { perm: [0, 1, 3, 2] })]);
    const scores = g.add('Add', [g.add('Mul', [products, g.number(1 / Math.sqrt(head))]), mask]);
    const mixed = g.add('MatMul', [g.add('Softmax', [scores], { axis: -1 }), value]);
    const joined = g.add('Reshape', [g.add('Transpose', [mixed], { perm: [0, 2, 1, 3] }), g.integers(0, -1, width)]);
    return this.#linear(joined, name('out'), width, width);
  }

  #linear(input, name, from, to) {
    return this.#graph.add('MatMul', [input, this.#weights(name, [from, to], 1 / Math.sqrt(from))]);
  }

  /** Root mean square norm (RMSNorm) without learned weights. */
  #norm(input, name) {
    const g = this.#graph;
    const mean = g.add('ReduceMean', [g.add('Mul', [input, input])], { axes: [-1], keepdims: 1 });
    const size = g.add('Sqrt', [g.add('Add', [mean, g.number(EPSILON)])]);
    return g.add('Div', [input, size], { name });
  }
}

/**
 * Writes the model's files into a folder.
 * @param {string} folder created if it does not exist
 * @param {typeof TINY} shape `hidden / heads` must be even, and `heads` a multiple of `keyHeads`
 * @returns {Promise<Record<string, number>>} file sizes in bytes, by path
 */
export async function writeTinyModel(folder, shape = TINY) {
  const { size, idOf, tokenizer, config } = trainTokenizer(MERGES);
  const endOfTurn = idOf(END_OF_TURN);
  const endOfText = idOf(END_OF_TEXT);
  const json = (value) => Buffer.from(JSON.stringify(value, null, 1));
  const files = {
    'config.json': json({
      architectures: ['Qwen2ForCausalLM'],
      model_type: 'qwen2',
      hidden_size: shape.hidden,
      intermediate_size: shape.inner,
      num_hidden_layers: shape.layers,
      num_attention_heads: shape.heads,
      num_key_value_heads: shape.keyHeads,
      vocab_size: size,
      rms_norm_eps: EPSILON,
      rope_theta: ROPE_BASE,
      max_position_embeddings: CONTEXT,
      hidden_act: 'silu',
      tie_word_embeddings: true,
      bos_token_id: endOfText,
      eos_token_id: endOfTurn,
    }),
    'generation_config.json': json({
      bos_token_id: endOfText,
      eos_token_id: [endOfTurn, endOfText],
      pad_token_id: endOfText,
    }),
    'tokenizer.json': json(tokenizer),
    'tokenizer_config.json': json(config),
    'onnx/model.onnx': new Qwen2Graph(shape).build(size),
  };
  return writeFiles(folder, files);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2] ?? fileURLToPath(new URL('../test/fixtures/tiny-model', import.meta.url));
  console.log(`${folder}\n`, await writeTinyModel(folder));
}
