// Writes ONNX files. Implements only those messages of `onnx.proto` that a small model needs. The field
// numbers are those of `onnx.proto`.

export const FLOAT = 1;
export const INT64 = 7;
export const BOOL = 9;

const OPSET = 17;
const IR_VERSION = 8;
const text = new TextEncoder();

/**
 * A message in the wire format of Protocol Buffers. Integers are varints (type 0). All other fields start
 * with their length (type 2).
 */
class Message {
  #parts = [];

  integer(field, value) {
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  bytes(field, value) {
    this.#varint((field << 3) | 2);
    this.#varint(value.byteLength);
    this.#parts.push(value);
    return this;
  }

  text(field, value) {
    return this.bytes(field, text.encode(value));
  }

  message(field, inner) {
    return this.bytes(field, inner.done());
  }

  done() {
    return Buffer.concat(this.#parts);
  }

  #varint(value) {
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes = [];
    while (rest > 127n) {
      bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#parts.push(Uint8Array.from(bytes));
  }
}

function bytesOf(array) {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** A graph whose operations refer to their inputs by name. */
export class Graph {
  #nodes = [];
  #constants = new Map();
  #inputs = [];
  #outputs = [];

  input(name, type, shape) {
    this.#inputs.push(valueInfo(name, type, shape));
    return name;
  }

  output(name, type, shape) {
    this.#outputs.push(valueInfo(name, type, shape));
  }

  /** @param {Float32Array | BigInt64Array} values */
  constant(name, shape, values) {
    const tensor = new Message();
    for (const size of shape) tensor.integer(1, size);
    tensor
      .integer(2, values instanceof BigInt64Array ? INT64 : FLOAT)
      .text(8, name)
      .bytes(9, bytesOf(values));
    this.#constants.set(name, tensor);
    return name;
  }

  number(value) {
    return this.#once(`number ${value}`, [], Float32Array.of(value));
  }

  integer(value) {
    return this.#once(`integer ${value}`, [], BigInt64Array.of(BigInt(value)));
  }

  integers(...values) {
    return this.#once(`integers ${values}`, [values.length], BigInt64Array.from(values, BigInt));
  }

  #once(name, shape, values) {
    return this.#constants.has(name) ? name : this.constant(name, shape, values);
  }

  /** Adds an operation with one output, and returns the output's name. Attributes are integers or lists of integers. */
  add(operation, inputs, { name = `${operation} ${this.#nodes.length}`, ...attributes } = {}) {
    const node = new Message();
    for (const input of inputs) node.text(1, input);
    node.text(2, name).text(3, name).text(4, operation);
    for (const [key, value] of Object.entries(attributes)) {
      const attribute = new Message().text(1, key);
      if (Array.isArray(value)) for (const each of value) attribute.integer(8, each);
      else attribute.integer(3, value);
      node.message(5, attribute.integer(20, Array.isArray(value) ? 7 : 2));
    }
    this.#nodes.push(node);
    return name;
  }

  /** The bytes of an ONNX file. */
  file(name) {
    const graph = new Message();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, name);
    for (const constant of this.#constants.values()) graph.message(5, constant);
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, output);
    const opset = new Message().text(1, '').integer(2, OPSET);
    return new Message().integer(1, IR_VERSION).text(2, 'podium').message(7, graph).message(8, opset).done();
  }
}

/** Describes an input or output. A size that is given as a string is dynamic, and the string is its name. */
function valueInfo(name, type, shape) {
  const sizes = new Message();
  for (const size of shape) {
    sizes.message(1, typeof size === 'string' ? new Message().text(2, size) : new Message().integer(1, size));
  }
  const tensor = new Message().integer(1, type).message(2, sizes);
  return new Message().text(1, name).message(2, new Message().message(1, tensor));
}
