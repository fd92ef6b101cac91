/**
 * @file Removes and limits functions before untrusted code runs. The frame's own origin and its Content Security Policy already
 * block access to the network, storage and the page. Code in the frame cannot disable this protection. This file handles
 * functions that are still allowed but harmful, and functions whose blocked calls the browser would log.
 */

import { preventDefault } from './early';

/** Bytes of a WebAssembly page. */
const PAGE = 65_536;

const GRAPHICS = [
  'OffscreenCanvas',
  'OffscreenCanvasRenderingContext2D',
  'WebGLRenderingContext',
  'WebGL2RenderingContext',
  'ImageBitmapRenderingContext',
  'ImageBitmap',
  'createImageBitmap',
  'GPU',
  'ML',
  'ImageDecoder',
  'VideoDecoder',
  'VideoEncoder',
  'VideoFrame',
];

/**
 * Classes and functions that send requests. The Content Security Policy blocks every request, but the browser logs each one.
 */
const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'FontFace'];

/**
 * Removes functions that could flood the console or the guard (see `guard.ts`), start more Web Workers, or end this Web Worker
 * unnoticed. Also removes access to the GPU, which a local model may be using.
 */
export function withhold(): void {
  removeFromScope('postMessage', 'close', 'Worker', 'reportError', ...NETWORK, ...GRAPHICS);
  for (const name of ['gpu', 'ml']) Reflect.deleteProperty(Object.getPrototypeOf(navigator) as object, name);
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, preventDefault);
}

/**
 * Replaces every method of a console with a function that does nothing. Otherwise, the browser would store console messages of
 * any size and send them to the page's process. Must be called before Pyodide loads. Otherwise, Pyodide keeps references to some
 * of the original methods, and untrusted code could call these.
 */
export function silence(target: object): void {
  for (let owner: object | null = target; owner && owner !== Object.prototype; owner = prototypeOf(owner)) {
    for (const name of Reflect.ownKeys(owner)) {
      if (typeof Reflect.get(owner, name) === 'function') Reflect.set(owner, name, () => undefined);
    }
  }
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** Deletes names from the Web Worker's global scope and from the prototypes of this scope. */
export function removeFromScope(...names: string[]): void {
  for (let scope: object | null = globalThis; scope; scope = prototypeOf(scope)) {
    for (const name of names) Reflect.deleteProperty(scope, name);
  }
}

/**
 * Limits the interpreter's memory. An allocation beyond the limit fails, and Python raises `MemoryError`.
 * @param limit bytes
 */
export function limitMemory(limit: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  const bounded = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > limit) throw new RangeError('The memory limit is reached.');
    return grow.call(this, pages);
  };
  Object.defineProperty(WebAssembly.Memory.prototype, 'grow', { value: bounded });
}
